package io.millrace.compression;

import io.millrace.io.BufferPool;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Copies a payload into a stream. */
final class PieceReader {

    private static final int COPY = 16 * 1024;

    private PieceReader() {}

    static void copy(Payload piece, BufferPool pool, OutputStream to) throws IOException {
        PayloadReader reader = PayloadReader.of(piece, pool);
        try {
            while (reader.remaining() > 0) {
                for (ByteBuffer buffer : reader.next(COPY)) {
                    copy(buffer, to);
                }
            }
        } finally {
            reader.release();
        }
    }

    /** Advances the buffer's position, as sending it would. */
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
}
