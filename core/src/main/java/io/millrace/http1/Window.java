package io.millrace.http1;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The bytes a parser looks at: a copy, in an array, of the input's next few hundred bytes, since an array is read several
 * times faster than a direct buffer, and strings are made from it. Filling it leaves the input's position alone; the
 * position moves when a parser has {@link #consume consumed} something whole, or is {@link #carry starved}, when the rest
 * is carried over to the next input.
 *
 * <p>{@code start ≤ position ≤ limit}: the current head begins at {@code start}, parsing has come to {@code position}.
 */
final class Window {

    /** A head is rarely longer; a body that follows is copied in vain up to here. */
    private static final int STEP = 1024;

    /** With less than this left, what remains is moved to the front before more is copied. */
    private static final int SMALL = 256;

    byte[] bytes = {};
    int start;
    int position;
    int limit;

    /** The input's position is at this index, plus what was carried over. */
    private int origin;

    /** How many bytes from {@code origin} on are no longer in the input. */
    private int carried;

    /**
     * Copies more of the input.
     *
     * @param max how many bytes to hold at most, from {@code start} on
     * @return false if there is no more, or no more room
     */
    boolean fill(ByteBuffer in, int max) {
        int copied = limit - origin - carried;
        int more = Math.min(Math.min(in.remaining() - copied, max - size()), STEP);
        if (more <= 0) {
            return false;
        }
        makeRoom(more);
        in.get(in.position() + copied, bytes, limit, more);
        limit += more;
        return true;
    }

    /** How many bytes are held, from {@code start} on. */
    int size() {
        return limit - start;
    }

    /** The head begins later than thought: what lies before {@code position} was nothing. */
    void skip() {
        start = position;
    }

    /** What lies before {@code position} is done with. */
    void consume(ByteBuffer in) {
        in.position(in.position() + position - origin - carried);
        carried = 0;
        origin = position;
        start = position;
    }

    /** All of the input was looked at and it was not enough: keep it until there is more. */
    void carry(ByteBuffer in) {
        origin = start;
        carried = size();
        in.position(in.limit());
    }

    private void makeRoom(int more) {
        if (limit + more <= bytes.length) {
            return;
        }
        if (position == start && origin == start && size() < SMALL) { // indexes are not kept
            System.arraycopy(bytes, start, bytes, 0, size());
            limit = size();
            origin = 0;
            start = 0;
            position = 0;
        }
        if (limit + more > bytes.length) {
            int atLeast = bytes.length == 0 ? more : Math.max(limit + more, 2 * bytes.length);
            bytes = Arrays.copyOf(bytes, atLeast);
        }
    }
}
