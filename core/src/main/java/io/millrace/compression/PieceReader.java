package io.millrace.compression;

import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Copies what was to be sent into a stream. */
final class PieceReader {

    private static final int COPY = 16 * 1024;

    private PieceReader() {}

    static void copy(Payload piece, OutputStream to) throws IOException {
        if (piece instanceof Payload.Bytes bytes) {
            for (ByteBuffer buffer : bytes.buffers()) {
                copy(buffer, to);
            }
        } else if (piece instanceof Payload.FileRegion region) {
            copy(region, to);
        }
    }

    /** Moves the buffer's position, as sending it would. */
    private static void copy(ByteBuffer buffer, OutputStream to) throws IOException {
        if (buffer.hasArray()) {
            to.write(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
            buffer.position(buffer.limit());
            return;
        }
        byte[] copy = new byte[Math.min(COPY, buffer.remaining())];
        while (buffer.hasRemaining()) {
            int count = Math.min(copy.length, buffer.remaining());
            buffer.get(copy, 0, count);
            to.write(copy, 0, count);
        }
    }

    private static void copy(Payload.FileRegion region, OutputStream to) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(COPY, region.remaining()));
        for (long left = region.remaining(); left > 0; ) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), left));
            int count = region.file().read(buffer, region.position() + region.remaining() - left);
            if (count < 0) {
                throw new EOFException("the file ended " + left + " bytes before the end of the piece to be sent");
            }
            to.write(buffer.array(), 0, count);
            left -= count;
        }
    }
}
