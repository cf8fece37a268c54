package io.millrace.websocket;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses messages (RFC 7692, 7.2.1). With context takeover it keeps its compressor from the first message to {@link #close};
 * otherwise only within a message.
 *
 * <p>Not for two threads at once; messages are compressed in the order in which they are sent.
 */
final class MessageDeflater {

    /** The end of a flushed block, which is left out: 00 00 ff ff. */
    private static final int TAIL = 4;

    private static final int LEAST_ROOM = 64;

    private static final byte[] NOTHING = new byte[0];

    private final boolean takeover;
    private @Nullable Deflater deflater;
    private boolean closed;

    MessageDeflater(boolean takeover) {
        this.takeover = takeover;
    }

    /** A whole message, without reference to others. Any thread. */
    static ByteBuffer compressAlone(ByteBuffer message) {
        Deflater borrowed = ZlibPool.DEFLATERS.take();
        try {
            return compress(borrowed, message, true);
        } finally {
            ZlibPool.DEFLATERS.giveBack(borrowed);
        }
    }

    /**
     * The next part of a message.
     *
     * @param last the message ends with it
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
        deflater.setInput(NOTHING); // it would keep the message until the next
        // an empty part, or message, that compresses to nothing but the flush, needs one octet (RFC 7692, 7.2.3.6)
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
