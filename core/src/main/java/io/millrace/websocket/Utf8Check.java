package io.millrace.websocket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * An incremental validator of UTF-8 (RFC 3629). It fails at the first invalid byte; surrogates, overlong forms and code points
 * above U+10FFFF are invalid.
 *
 * <p>The state between two pieces is one number: {@link #COMPLETE} between characters; within a character, the number of
 * missing bytes and the bounds of the next one.
 */
final class Utf8Check {

    /** Between two characters. */
    static final int COMPLETE = 0;

    /** Not UTF-8. */
    static final int WRONG = -1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private Utf8Check() {}

    /** The state after these bytes. */
    static int check(byte[] bytes, int from, int to, int before) {
        int state = before;
        int at = from;
        while (at < to) {
            if (state == COMPLETE) {
                at = skipAscii(bytes, at, to);
                if (at == to) {
                    return COMPLETE;
                }
                state = first(bytes[at] & 0xff);
            } else {
                state = following(bytes[at] & 0xff, state);
            }
            if (state == WRONG) {
                return WRONG;
            }
            at++;
        }
        return state;
    }

    /** The number of bytes at the end that belong to an incomplete character. */
    static int incomplete(byte[] bytes, int length, int state) {
        int count = 0;
        if (state != COMPLETE) {
            do {
                count++;
            } while ((bytes[length - count] & 0xc0) == 0x80);
        }
        return count;
    }

    private static int skipAscii(byte[] bytes, int from, int to) {
        int at = from;
        while (at <= to - Long.BYTES && ((long) LONGS.get(bytes, at) & HIGH_BITS) == 0) {
            at += Long.BYTES;
        }
        while (at < to && bytes[at] >= 0) {
            at++;
        }
        return at;
    }

    /** The state after a first byte, by the table of RFC 3629, 4. */
    private static int first(int value) {
        if (value < 0xc2 || value > 0xf4) {
            return WRONG;
        }
        if (value < 0xe0) {
            return state(1, 0x80, 0xbf);
        }
        return switch (value) {
            case 0xe0 -> state(2, 0xa0, 0xbf);
            case 0xed -> state(2, 0x80, 0x9f);
            case 0xf0 -> state(3, 0x90, 0xbf);
            case 0xf4 -> state(3, 0x80, 0x8f);
            default -> state(value < 0xf0 ? 2 : 3, 0x80, 0xbf);
        };
    }

    private static int following(int value, int state) {
        int missing = state >> 16;
        if (value < (state >> 8 & 0xff) || value > (state & 0xff)) {
            return WRONG;
        }
        return missing == 1 ? COMPLETE : state(missing - 1, 0x80, 0xbf);
    }

    private static int state(int missing, int lowest, int highest) {
        return missing << 16 | lowest << 8 | highest;
    }
}
