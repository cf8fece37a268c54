package io.millrace.websocket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/** Encodes frames (RFC 6455, 5.2), and masks those of a client. */
final class FrameEncoder {

    static final int FIN = 0x80;
    private static final int RSV1 = 0x40;
    private static final int MASKED = 0x80;
    private static final int MASK_BYTES = 4;
    private static final int LENGTH_16 = 126;
    private static final int LENGTH_64 = 127;

    /** The maximum length of a payload that is copied behind its head, in bytes; a longer one is sent without copying. */
    static final int COPIED = 1024;

    private FrameEncoder() {}

    /**
     * An encoded frame.
     *
     * @param flags the result of {@link #flags}
     * @param stable whether the payload stays unchanged until it is sent; otherwise it is copied
     * @return one buffer, or the head and the payload
     */
    static ByteBuffer[] encode(WebSocketRole role, int flags, ByteBuffer payload, boolean stable) {
        int length = payload.remaining();
        boolean masked = role == WebSocketRole.CLIENT;
        boolean together = masked || !stable || length <= COPIED;
        int head = headLength(length, masked);
        ByteBuffer frame = ByteBuffer.wrap(new byte[together ? head + length : head]);
        int mask = masked ? MaskKeys.next() : 0;
        putHead(frame, flags, length, masked, mask);
        if (!together) {
            return new ByteBuffer[] {frame.flip(), payload.duplicate()};
        }
        payload.get(payload.position(), frame.array(), head, length);
        if (masked) {
            Masking.apply(frame.array(), head, length, mask, 0);
        }
        return new ByteBuffer[] {frame.clear()};
    }

    /**
     * An unmasked frame, to be sent to many peers.
     *
     * @param direct whether it is in direct memory, which transports send without copying
     */
    static ByteBuffer encodeShared(int flags, ByteBuffer payload, boolean direct) {
        int length = payload.remaining();
        int size = headLength(length, false) + length;
        ByteBuffer frame = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
        putHead(frame, flags, length, false, 0);
        return frame.put(payload.duplicate()).flip();
    }

    /** The first byte of a frame. */
    static int flags(Opcode opcode, boolean isFinal, boolean compressed) {
        return opcode.code | (isFinal ? FIN : 0) | (compressed ? RSV1 : 0);
    }

    private static int headLength(int length, boolean masked) {
        int bytes = length < LENGTH_16 ? 2 : length <= 0xffff ? 4 : 10;
        return masked ? bytes + MASK_BYTES : bytes;
    }

    private static void putHead(ByteBuffer to, int flags, int length, boolean masked, int mask) {
        int bit = masked ? MASKED : 0;
        to.order(ByteOrder.BIG_ENDIAN).put((byte) flags);
        if (length < LENGTH_16) {
            to.put((byte) (bit | length));
        } else if (length <= 0xffff) {
            to.put((byte) (bit | LENGTH_16)).putShort((short) length);
        } else {
            to.put((byte) (bit | LENGTH_64)).putLong(length);
        }
        if (masked) {
            to.putInt(mask);
        }
    }

    /**
     * The masking keys of a client's frames: unpredictable, so that a page cannot make the client send bytes of its choice to a
     * proxy (RFC 6455, 10.3). A thousand are generated at a time, because each call of the generator takes a microsecond. Thread-safe.
     */
    private static final class MaskKeys {

        private static final int BATCH = 4096;

        private static final MaskKeys SHARED = new MaskKeys();

        private final SecureRandom random = new SecureRandom();
        private final byte[] bytes = new byte[BATCH];
        private int used = BATCH;

        private MaskKeys() {}

        static int next() {
            return SHARED.take();
        }

        private synchronized int take() {
            if (used == BATCH) {
                random.nextBytes(bytes);
                used = 0;
            }
            int key = 0;
            for (int i = 0; i < Integer.BYTES; i++) {
                key = key << 8 | bytes[used] & 0xff;
                bytes[used++] = 0;
            }
            return key;
        }
    }
}
