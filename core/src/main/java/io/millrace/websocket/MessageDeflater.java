package io.millrace.websocket;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses messages (RFC 7692, 7.2.1). With context takeover it holds a compressor from the first message to {@link #close},
 * otherwise only during a message.
 *
 * <p>Not thread-safe. Messages are compressed in the order in which they are sent.
 */
final class MessageDeflater {

    /** The length of the end of a flushed block, 00 00 ff ff, which is omitted. */
    private static final int TAIL = 4;

    private static final int LEAST_ROOM = 64;

    private static final byte[] NOTHING = new byte[0];

    private final boolean takeover;
    private @Nullable Deflater deflater;
    private boolean closed;

    MessageDeflater(boolean takeover) {
        this.takeover = takeover;
    }

    /** Compresses a whole message, without reference to others. Thread-safe. */
    static ByteBuffer compressAlone(ByteBuffer message) {
        Deflater borrowed = ZlibPool.DEFLATERS.take();
        try {
            return compress(borrowed, message, true);
        } finally {
            ZlibPool.DEFLATERS.giveBack(borrowed);
        }
    }

    /**
     * Compresses the next part of a message.
     *
     * @param last whether this is the last part of the message
     */
    ByteBuffer compress(ByteBuffer part, boolean last) {
        if (closed) {
            throw new IllegalStateException("the connection has ended");
        }
        Deflater used = deflater;
        if (used == null) {
            used = ZlibPool.DEFLATERS.take();
            deflater = used;
        }
        ByteBuffer compressed = compress(used, part, last);
        if (last && !takeover) {
            release();
        }
        return compressed;
    }

    private static ByteBuffer compress(Deflater deflater, ByteBuffer part, boolean last) {
        deflater.setInput(part);
        byte[] out = new byte[LEAST_ROOM + part.remaining() / 2];
        int length = 0;
        while (true) {
            length += deflater.deflate(out, length, out.length - length, Deflater.SYNC_FLUSH);
            if (length < out.length) {
                break; // the flush is complete
            }
            out = Arrays.copyOf(out, 2 * out.length);
        }
        deflater.setInput(NOTHING); // it would hold the message until the next one
        // an empty message compresses to nothing but the flush, and needs one byte (RFC 7692, 7.2.3.6)
        return ByteBuffer.wrap(out, 0, last ? Math.max(1, length - TAIL) : length);
    }

    void close() {
        closed = true;
        release();
    }

    private void release() {
        Deflater used = deflater;
        deflater = null;
        if (used != null) {
            ZlibPool.DEFLATERS.giveBack(used);
        }
    }
}
