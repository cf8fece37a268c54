package io.millrace.websocket;

import java.security.SecureRandom;

/**
 * The masking keys of a client's frames: unpredictable, so that a page cannot make the client send octets of its choice to a
 * proxy (RFC 6455, 10.3). A thousand are generated at a time, because each call of the generator takes a microsecond. Thread-safe.
 */
final class MaskKeys {

    private static final int BATCH = 4096;

    private static final MaskKeys SHARED = new MaskKeys();

    private final SecureRandom random = new SecureRandom();
    private final byte[] octets = new byte[BATCH];
    private int used = BATCH;

    private MaskKeys() {}

    static int next() {
        return SHARED.take();
    }

    private synchronized int take() {
        if (used == BATCH) {
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
