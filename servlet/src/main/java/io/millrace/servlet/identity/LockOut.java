package io.millrace.servlet.identity;

import io.millrace.io.Delays;
import io.millrace.servlet.session.store.SharedMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Locks a user name for a period after repeated failed logins, as Tomcat's LockOutRealm does: even the correct password is
 * refused then. Names that do not exist are locked too, so that a lock does not disclose which names exist. Spellings that
 * directories and databases may take for one name (case, spaces, accents) are counted together: otherwise each of them would
 * have failures of its own. Thread-safe.
 */
public final class LockOut implements IdentityStore {

    /** Names with failures that are stored; the oldest is evicted first, because attackers can send any number of names. */
    private static final int MAX_NAMES = 1000;

    /** Longer names, which no user has, are counted by their first characters. */
    private static final int MAX_NAME_LENGTH = 128;

    /** What is read of a name; the rest, which may be megabytes of spaces, is not normalized. */
    private static final int MAX_READ = 1024;

    /** Accents, and characters without effect, which LDAP ignores (RFC 4518, 2.2). */
    private static final Pattern IGNORED = Pattern.compile("[\\p{M}\\p{Cc}\\p{Cf}]+");

    private static final Pattern SPACES = Pattern.compile("[\\s\\p{Z}]+");

    /** @param lastName the name of the last failure, as sent */
    private record Failures(int count, long lastNanos, String lastName) {}

    private final IdentityStore store;
    private final int limit;
    private final Duration period;
    private final int capacity;
    private final LongSupplier nanoTime;
    private final Map<String, Failures> failures = new LinkedHashMap<>();
    private final @Nullable SharedFailures shared;

    /**
     * Wraps a store.
     *
     * @param failures number of failures after which a name is locked, each within the period after the one before
     * @param period how long the name stays locked after its last failure
     */
    public LockOut(IdentityStore store, int failures, Duration period) {
        this(store, failures, period, MAX_NAMES);
    }

    /**
     * Wraps a store.
     *
     * @param failures number of failures after which a name is locked, each within the period after the one before
     * @param period how long the name stays locked after its last failure
     * @param capacity how many names with failures are stored; 1000 by default, as in Tomcat
     */
    public LockOut(IdentityStore store, int failures, Duration period, int capacity) {
        this(store, failures, period, capacity, System::nanoTime);
    }

    /**
     * Wraps a store, whose failures several servers count together. While the map does not answer, each counts by itself.
     *
     * @param shared the map of these servers
     * @param users tells the users of the store from others whose failures are in the map
     */
    public LockOut(IdentityStore store, int failures, Duration period, int capacity, SharedMap shared, String users) {
        this(store, failures, period, capacity, System::nanoTime, new SharedFailures(shared, users, period, capacity));
    }

    LockOut(IdentityStore store, int failures, Duration period, int capacity, LongSupplier nanoTime) {
        this(store, failures, period, capacity, nanoTime, null);
    }

    private LockOut(
            IdentityStore store,
            int failures,
            Duration period,
            int capacity,
            LongSupplier nanoTime,
            @Nullable SharedFailures shared) {
        this.store = store;
        this.limit = failures;
        this.period = period;
        this.capacity = capacity;
        this.nanoTime = nanoTime;
        this.shared = shared;
    }

    /** Five failures, five minutes, as Tomcat's LockOutRealm. */
    public static LockOut around(IdentityStore store) {
        return new LockOut(store, 5, Duration.ofMinutes(5));
    }

    @Override
    public @Nullable Identity verify(String name, String password) {
        return verify(new Proof.Password(name, password));
    }

    @Override
    public List<String> reload() {
        return store.reload();
    }

    /**
     * Asks the store even if the name is locked, so that the time does not disclose the lock. Users who were verified elsewhere
     * are not locked: they have not guessed a password.
     */
    @Override
    public @Nullable Identity verify(Proof proof) {
        Identity identity = store.verify(proof);
        if (proof.isVerified()) {
            return identity;
        }
        String name = cut(proof.name(), MAX_READ);
        String key = key(name);
        if (shared != null) {
            try {
                return recordShared(shared, key, name, identity);
            } catch (IOException countedHere) {
                // the guard of the map logs it
            }
        }
        return record(key, name, identity);
    }

    /** What was counted here while the map did not answer counts until it is over. */
    private @Nullable Identity recordShared(SharedFailures map, String key, String name, @Nullable Identity identity)
            throws IOException {
        if (identity == null) {
            if (map.add(key, name) == limit) {
                IdentityLog.LOG.lockedOut(printable(key), period.toSeconds(), limit);
            }
            return null;
        }
        return map.forgetUnless(limit, key, name) && !isLockedKey(key) ? identity : null;
    }

    @Override
    public boolean isLocked(String name) {
        String key = key(cut(name, MAX_READ));
        return isLockedKey(key) || isLockedTogether(key) || store.isLocked(name);
    }

    private boolean isLockedTogether(String key) {
        try {
            return shared != null && shared.count(key) >= limit;
        } catch (IOException countedHere) {
            return false;
        }
    }

    private synchronized boolean isLockedKey(String key) {
        Failures known = failures.get(key);
        return known != null
                && known.count() >= limit
                && nanoTime.getAsLong() - known.lastNanos() < Delays.nanos(period);
    }

    private static String key(String name) {
        String spaced =
                SPACES.matcher(Normalizer.normalize(name, Normalizer.Form.NFKD)).replaceAll(" ");
        return cut(IGNORED.matcher(spaced).replaceAll("").strip().toLowerCase(Locale.ROOT), MAX_NAME_LENGTH);
    }

    private static String cut(String text, int length) {
        return text.length() > length ? text.substring(0, length) : text;
    }

    private synchronized @Nullable Identity record(String key, String name, @Nullable Identity identity) {
        long now = nanoTime.getAsLong();
        Failures before = failures.get(key);
        boolean recent = before != null && now - before.lastNanos() < Delays.nanos(period);
        boolean locked = recent && before != null && before.count() >= limit;
        if (identity != null && !locked) {
            if (before != null && before.lastName().equals(name)) {
                failures.remove(key); // not after a login under another spelling, which may be another user's name
            }
            return identity;
        }
        if (identity == null) {
            int count = recent && before != null ? before.count() + 1 : 1;
            remember(key, new Failures(count, now, name));
            if (count == limit) {
                IdentityLog.LOG.lockedOut(printable(key), period.toSeconds(), limit);
            }
        }
        return null;
    }

    private void remember(String key, Failures now) {
        failures.remove(key);
        failures.put(key, now);
        if (failures.size() > capacity) {
            String eldest = failures.keySet().iterator().next();
            Failures forgotten = failures.remove(eldest);
            if (forgotten != null
                    && forgotten.count() >= limit
                    && now.lastNanos() - forgotten.lastNanos() < Delays.nanos(period)) {
                IdentityLog.LOG.lockOutOverflows(capacity);
            }
        }
    }

    private static String printable(String name) {
        StringBuilder text = new StringBuilder();
        name.chars().forEach(c -> text.append(c >= 0x20 && c < 0x7f && c != '"' ? (char) c : '?'));
        return text.toString();
    }

    /** The failures that several servers count together. Thread-safe. */
    private static final class SharedFailures {

        private static final int ATTEMPTS = 100;
        private static final long MILLIS = 1000;

        /** The number of failures and the time of the last one, before its name. */
        private static final int HEADER = Integer.BYTES + Long.BYTES;

        private final SharedMap map;
        private final String users;
        private final int seconds;
        private final int capacity;

        /** Keys that this server has put into the map: the oldest goes first, as attackers can send any number of names. */
        private final Set<String> put = new LinkedHashSet<>();

        SharedFailures(SharedMap map, String users, Duration period, int capacity) {
            this.map = map;
            this.users = users;
            this.capacity = capacity;
            seconds = (int) Math.max(1, Math.min(Integer.MAX_VALUE, period.toSeconds()));
        }

        /** The number of failures, with this one. */
        int add(String key, String name) throws IOException {
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                SharedMap.Entry before = map.get(full(key));
                long now = System.currentTimeMillis();
                int count = 1 + recent(before, now);
                byte[] value = ByteBuffer.allocate(HEADER + text.length)
                        .putInt(count)
                        .putLong(now)
                        .put(text)
                        .array();
                if (map.put(full(key), value, before == null ? 0 : before.version(), now, seconds)) {
                    bound(key);
                    return count;
                }
            }
            throw new IOException("other servers counted at the same time in each of the attempts");
        }

        private String full(String key) {
            return users + "\n" + key;
        }

        /** The failures that count at a time; each counts from the last one. */
        private int recent(SharedMap.@Nullable Entry entry, long now) {
            if (entry == null || entry.value().length < HEADER) {
                return 0;
            }
            ByteBuffer value = ByteBuffer.wrap(entry.value());
            int count = value.getInt();
            return now - value.getLong() < seconds * MILLIS ? count : 0;
        }

        int count(String key) throws IOException {
            return recent(map.get(full(key)), System.currentTimeMillis());
        }

        private void bound(String key) throws IOException {
            String oldest = null;
            synchronized (put) {
                put.remove(key);
                put.add(key);
                if (put.size() > capacity) {
                    oldest = put.iterator().next();
                    put.remove(oldest);
                }
            }
            if (oldest != null) {
                map.remove(full(oldest));
            }
        }

        /** After a login: forgets the failures, unless the name is locked, or was spelled otherwise, which may be another user's. */
        boolean forgetUnless(int limit, String key, String name) throws IOException {
            SharedMap.Entry entry = map.get(full(key));
            boolean locked = recent(entry, System.currentTimeMillis()) >= limit;
            if (entry != null && !locked && name.equals(nameIn(entry.value()))) {
                map.remove(full(key));
            }
            return !locked;
        }

        private static String nameIn(byte[] value) {
            return value.length < HEADER
                    ? ""
                    : new String(value, HEADER, value.length - HEADER, StandardCharsets.UTF_8);
        }
    }
}
