package io.millrace.protocol.mux;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects a number of contiguous octets for a {@link FrameReader}, however the input is split: in place if all are in the
 * input, otherwise in a copy, whose size is that of the octets received so far.
 *
 * <p><b>Threads.</b> Confined to the connection's reader.
 */
public final class WholeBytes {

    private static final byte[] NOTHING = {};

    private byte[] kept = NOTHING;
    private int length;

    /** A collector without octets. */
    public WholeBytes() {}

    /** Whether some octets have been collected, but not released. */
    public boolean isBegun() {
        return length > 0;
    }

    /**
     * Takes octets from the input.
     *
     * @param wanted the number of octets; the same in each call until they are complete
     * @return the input, at whose position they start, or a buffer that contains only them; null if more input is needed. To
     *     be {@linkplain #release released} after they were read
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

    /** Releases the octets, after they were read or because they are not needed. */
    public void release() {
        kept = NOTHING;
        length = 0;
    }
}
