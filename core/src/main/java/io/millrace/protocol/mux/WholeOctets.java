package io.millrace.protocol.mux;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gives a {@link FrameReader} so many octets in a row, wherever its input was cut: in place if they are all there, or a copy
 * of what has come so far, of its own size.
 *
 * <p><b>Threads.</b> The connection's reader's.
 */
public final class WholeOctets {

    private static final byte[] NOTHING = {};

    private byte[] kept = NOTHING;
    private int length;

    /** Of which nothing has come. */
    public WholeOctets() {}

    /** Have some come, and not all? */
    public boolean isBegun() {
        return length > 0;
    }

    /**
     * Takes so many octets.
     *
     * @param wanted the same until they are there
     * @return the input, from whose position they can be read, or a buffer with nothing else; null if they have to be waited for.
     *     To be {@linkplain #release released} once they were read
     */
    public @Nullable ByteBuffer take(ByteBuffer input, int wanted) {
        if (length == 0 && input.remaining() >= wanted) {
            return input;
        }
        int part = Math.min(wanted - length, input.remaining());
        if (length + part > kept.length) {
            kept = Arrays.copyOf(kept, Math.min(wanted, Math.max(2 * kept.length, length + part)));
        }
        input.get(kept, length, part);
        length += part;
        return length == wanted ? ByteBuffer.wrap(kept, 0, wanted) : null;
    }

    /** They were read, or are not wanted any more. */
    public void release() {
        kept = NOTHING;
        length = 0;
    }
}
