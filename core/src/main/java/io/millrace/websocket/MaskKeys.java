package io.millrace.websocket;

import java.security.SecureRandom;

/**
 * Keys for a client's frames: unpredictable, so that a page cannot make the client send octets of its choice to a proxy (RFC
 * 6455, 10.3). Drawn a thousand at a time, since each call of the generator takes a microsecond.
 */
final class MaskKeys {

    private static final int DRAWN = 4096;

    private static final MaskKeys SHARED = new MaskKeys();

    private final SecureRandom random = new SecureRandom();
    private final byte[] octets = new byte[DRAWN];
    private int used = DRAWN;

    private MaskKeys() {}

    static int next() {
        return SHARED.take();
    }

    private synchronized int take() {
        if (used == DRAWN) {
            random.nextBytes(octets);
            used = 0;
        }
        int key = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            key = key << 8 | octets[used] & 0xff;
            octets[used++] = 0;
        }
        return key;
    }
}
