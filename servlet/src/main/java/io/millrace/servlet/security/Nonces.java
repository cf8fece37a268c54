package io.millrace.servlet.security;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Makes nonces and sees to it that each count of one is used once (RFC 7616, 3.3 and 5.4). A nonce carries its time, signed:
 * those that are only given out cost no memory. Those in use are remembered, the oldest forgotten first, and what is as old
 * as a forgotten one is stale: it can't be told from one used before. Any thread.
 */
final class Nonces {

    private static final int TIME = 8;
    private static final int RANDOM = 8;
    private static final int SIGNATURE = 16;
    private static final String ALGORITHM = "HmacSHA256";

    /** Counts below the highest that may still arrive: browsers send requests side by side. */
    private static final int WINDOW = 64;

    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec key;
    private final long validity;
    private final int capacity;
    private final LongSupplier clock;
    private final Map<String, Counts> used = new LinkedHashMap<>();
    private long forgottenUntil = Long.MIN_VALUE;

    private static final class Counts {
        private final long issued;
        private long highest;
        /** Bit i: highest - i was seen. */
        private long seen;

        Counts(long issued) {
            this.issued = issued;
        }

        boolean take(long count) {
            if (count > highest) {
                long ahead = count - highest;
                seen = ahead >= WINDOW ? 1 : seen << ahead | 1;
                highest = count;
                return true;
            }
            long bit = highest - count < WINDOW ? 1L << highest - count : 0;
            boolean isNew = bit != 0 && (seen & bit) == 0 && count > 0;
            seen |= bit;
            return isNew;
        }
    }

    /**
     * A book of its own key.
     *
     * @param validity how long a nonce may be used
     * @param capacity how many in use are remembered
     * @param clock milliseconds
     */
    Nonces(Duration validity, int capacity, LongSupplier clock) {
        this.validity = TimeUnit.MILLISECONDS.convert(validity);
        this.capacity = capacity;
        this.clock = clock;
        byte[] secret = new byte[32];
        random.nextBytes(secret);
        key = new SecretKeySpec(secret, ALGORITHM);
    }

    /** A new one. */
    String issue() {
        byte[] noise = new byte[RANDOM];
        random.nextBytes(noise);
        ByteBuffer nonce = ByteBuffer.allocate(TIME + RANDOM + SIGNATURE);
        nonce.putLong(clock.getAsLong()).put(noise).put(signature(nonce.array()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(nonce.array());
    }

    /** Uses up one count of a nonce; false if it is not ours, too old, or the count was used before. */
    boolean use(String nonce, long count) {
        Long issued = issued(nonce);
        if (issued == null || clock.getAsLong() - issued >= validity) {
            return false;
        }
        synchronized (used) {
            Counts counts = used.get(nonce);
            if (counts == null) {
                if (issued <= forgottenUntil) {
                    return false;
                }
                counts = new Counts(issued);
                used.put(nonce, counts);
                forgetOldest();
            }
            return counts.take(count);
        }
    }

    private void forgetOldest() {
        if (used.size() > capacity) {
            var eldest = used.entrySet().iterator().next();
            used.remove(eldest.getKey());
            forgottenUntil = Math.max(forgottenUntil, eldest.getValue().issued);
        }
    }

    /** When it was made; null if it is not ours. */
    private @Nullable Long issued(String nonce) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(nonce);
            boolean ours = bytes.length == TIME + RANDOM + SIGNATURE
                    && MessageDigest.isEqual(signature(bytes), Arrays.copyOfRange(bytes, TIME + RANDOM, bytes.length));
            return ours ? ByteBuffer.wrap(bytes).getLong() : null;
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }

    private byte[] signature(byte[] nonce) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(nonce, 0, TIME + RANDOM);
            return Arrays.copyOf(mac.doFinal(), SIGNATURE);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java has no " + ALGORITHM + ".", e);
        }
    }
}
