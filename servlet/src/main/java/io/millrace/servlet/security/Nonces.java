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
 * Issues nonces and accepts each nonce count once (RFC 7616, 3.3 and 5.4). A nonce contains its time of issue and a signature,
 * so that nonces that are never used need no memory. Used nonces are stored up to a limit; beyond it the oldest is evicted, and
 * an unknown nonce that is not newer than an evicted one is stale, because it may have been used. Thread-safe.
 */
final class Nonces {

    private static final int TIME = 8;
    private static final int RANDOM = 8;
    private static final int SIGNATURE = 16;
    private static final String ALGORITHM = "HmacSHA256";

    /** How far below the highest count others may still arrive, as browsers send requests concurrently. */
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
        /** Bit i is set if the count highest - i was used. */
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
     * Creates an issuer with a random signature key.
     *
     * @param validity how long a nonce may be used
     * @param capacity how many used nonces are stored
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

    /** Issues a nonce. */
    String issue() {
        byte[] noise = new byte[RANDOM];
        random.nextBytes(noise);
        ByteBuffer nonce = ByteBuffer.allocate(TIME + RANDOM + SIGNATURE);
        nonce.putLong(clock.getAsLong()).put(noise).put(signature(nonce.array()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(nonce.array());
    }

    /** Uses one count of a nonce; false if this object did not issue it, it has expired, or the count has been used. */
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

    /** The time of issue; null if the signature is invalid. */
    private @Nullable Long issued(String nonce) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(nonce);
            boolean valid = bytes.length == TIME + RANDOM + SIGNATURE
                    && MessageDigest.isEqual(signature(bytes), Arrays.copyOfRange(bytes, TIME + RANDOM, bytes.length));
            return valid ? ByteBuffer.wrap(bytes).getLong() : null;
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
            throw new IllegalStateException(ALGORITHM + " is not available in this JVM", e);
        }
    }
}
