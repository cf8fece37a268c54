package io.millrace.websocket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Masks and unmasks payloads (RFC 6455, 5.3), eight bytes at a time. */
final class Masking {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Masking() {}

    /** Moves {@code length} bytes and applies the mask to them. */
    static void move(ByteBuffer from, byte[] to, int at, int length, int mask, int position) {
        from.get(to, at, length);
        if (mask != 0) {
            apply(to, at, length, mask, position);
        }
    }

    /**
     * Applies a mask in place.
     *
     * @param mask its first byte in the highest bits
     * @param position of the first byte within the frame's payload
     */
    static void apply(byte[] bytes, int from, int length, int mask, int position) {
        int turned = Integer.rotateLeft(mask, (position & 3) << 3);
        long twice = ((long) turned << 32) | (turned & 0xffff_ffffL);
        int at = from;
        int end = from + length;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            LONGS.set(bytes, at, (long) LONGS.get(bytes, at) ^ twice);
        }
        for (; at < end; at++) {
            bytes[at] ^= (byte) (turned >>> 24);
            turned = Integer.rotateLeft(turned, 8);
        }
    }
}
