package io.millrace.http1;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The bytes that a parser examines: a copy of the input's next bytes in an array, which is read several times faster than a
 * direct buffer, and from which strings are created. Filling it does not change the input's position; that advances when
 * the parser has {@link #consume consumed} a complete head, or needs more input and the rest is {@link #carry carried} over.
 *
 * <p>{@code start ≤ position ≤ limit}: the current head begins at {@code start}, and the parser is at {@code position}.
 */
final class Window {

    /** The number of bytes copied at a time. Heads are rarely longer; a body that follows is copied needlessly. */
    private static final int STEP = 1024;

    /** If fewer bytes than this remain, they are moved to the front before more are copied. */
    private static final int SMALL = 256;

    private static final byte[] NONE = {};

    byte[] bytes = NONE;
    int start;
    int position;
    int limit;

    /** The input's position corresponds to this index plus {@code carried}. */
    private int origin;

    /** The number of bytes from {@code origin} on that are no longer in the input. */
    private int carried;

    /**
     * Copies more of the input.
     *
     * @param max the maximum number of bytes from {@code start} on
     * @return false if there is no more input, or no more room
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

    /** The number of bytes from {@code start} on. */
    int size() {
        return limit - start;
    }

    /** Moves the start of the head to {@code position}, after an empty line. */
    void skip() {
        start = position;
    }

    /** Consumes the bytes before {@code position}. */
    void consume(ByteBuffer in) {
        in.position(in.position() + position - origin - carried);
        carried = 0;
        origin = position;
        start = position;
    }

    /** Keeps an incomplete head until there is more input, of which all was examined. */
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
