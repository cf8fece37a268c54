package io.millrace.servlet.security;

import io.millrace.servlet.identity.StoreUnavailableException;
import io.millrace.servlet.session.store.SharedMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Issues nonces and accepts each nonce count once (RFC 7616, 3.3 and 5.4). A nonce contains its time of issue and a signature,
 * so that nonces that are never used need no memory. Used nonces are stored up to a limit; beyond it the oldest is evicted, and
 * an unknown nonce that is not newer than an evicted one is stale, because it may have been used. Servers that share a map accept
 * each other's nonces, and count their uses there; while the map does not answer, nobody logs in. Thread-safe.
 */
final class Nonces {

    private static final int MILLIS = 1000;
    private static final int TIME = 8;
    private static final int RANDOM = 8;
    private static final int SIGNATURE = 16;
    private static final int SECRET = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final String KEY = "secret of nonces";

    /** How far below the highest count others may still arrive, as browsers send requests concurrently. */
    private static final int WINDOW = 64;

    private final SecureRandom random = new SecureRandom();
    private final @Nullable SharedMap shared;
    private volatile @Nullable SecretKeySpec key;
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

        static Counts of(long issued, byte[] bytes) {
            Counts counts = new Counts(issued);
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            if (bytes.length == 2 * Long.BYTES) {
                counts.highest = buffer.getLong();
                counts.seen = buffer.getLong();
            } else {
                counts.highest = Long.MAX_VALUE; // damaged: none is accepted
            }
            return counts;
        }

        byte[] bytes() {
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(highest)
                    .putLong(seen)
                    .array();
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
     * @param map of the servers that accept each other's nonces; null for none
     */
    Nonces(Duration validity, int capacity, LongSupplier clock, @Nullable SharedMap map) {
        this.validity = TimeUnit.MILLISECONDS.convert(validity);
        this.capacity = capacity;
        this.clock = clock;
        shared = map;
        key = map == null ? newKey() : null;
    }

    private SecretKeySpec newKey() {
        byte[] secret = new byte[SECRET];
        random.nextBytes(secret);
        return new SecretKeySpec(secret, ALGORITHM);
    }

    /** @throws StoreUnavailableException if it has not been read yet, and cannot be */
    private SecretKeySpec key() {
        SecretKeySpec known = key;
        if (known == null) {
            known = sharedKey(Objects.requireNonNull(shared));
            key = known;
        }
        return known;
    }

    /** That of the first server that needed one. */
    private SecretKeySpec sharedKey(SharedMap map) {
        try {
            SharedMap.Entry entry = map.get(KEY);
            if (entry == null) {
                map.put(KEY, newKey().getEncoded(), 0, clock.getAsLong(), 0);
                entry = map.get(KEY);
            }
            if (entry == null || entry.value().length != SECRET) {
                throw new IOException("its secret is damaged");
            }
            return new SecretKeySpec(entry.value(), ALGORITHM);
        } catch (IOException e) {
            throw unavailable(map, e);
        }
    }

    private static StoreUnavailableException unavailable(SharedMap map, IOException reason) {
        return new StoreUnavailableException(
                "the nonces of DIGEST logins, which servers share in " + map + ", cannot be checked: "
                        + reason.getMessage(),
                reason);
    }

    /** The same for all servers that accept each other's nonces. */
    String opaque() {
        return HexFormat.of().formatHex(signature(KEY.getBytes(StandardCharsets.US_ASCII)));
    }

    /** Issues a nonce. */
    String issue() {
        byte[] noise = new byte[RANDOM];
        random.nextBytes(noise);
        ByteBuffer nonce = ByteBuffer.allocate(TIME + RANDOM + SIGNATURE);
        nonce.putLong(clock.getAsLong()).put(noise).put(signature(Arrays.copyOf(nonce.array(), TIME + RANDOM)));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(nonce.array());
    }

    /** Uses one count of a nonce; false if this object did not issue it, it has expired, or the count has been used. */
    boolean use(String nonce, long count) {
        Long issued = issued(nonce);
        if (issued == null || clock.getAsLong() - issued >= validity) {
            return false;
        }
        if (shared != null) {
            return use(shared, nonce, issued, count);
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

    private boolean use(SharedMap map, String nonce, long issued, long count) {
        try {
            int seconds = (int) Math.max(1, Math.min(Integer.MAX_VALUE, validity / MILLIS));
            return map.update(nonce, issued, seconds, before -> {
                Counts counts = before == null ? new Counts(issued) : Counts.of(issued, before);
                return counts.take(count) ? counts.bytes() : null;
            });
        } catch (IOException e) {
            throw unavailable(map, e);
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
                    && MessageDigest.isEqual(
                            signature(Arrays.copyOf(bytes, TIME + RANDOM)),
                            Arrays.copyOfRange(bytes, TIME + RANDOM, bytes.length));
            return valid ? ByteBuffer.wrap(bytes).getLong() : null;
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }

    private byte[] signature(byte[] text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key());
            return Arrays.copyOf(mac.doFinal(text), SIGNATURE);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " is not available in this JVM", e);
        }
    }
}
