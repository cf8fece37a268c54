package io.millrace.servlet.identity;

import io.millrace.io.Delays;
import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.session.store.SharedMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
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

    /**
     * The failures of a name.
     *
     * @param last the time of the last one: in nanoseconds, or in milliseconds since 1970 if servers count it together
     * @param lastName the name of the last one, as sent
     */
    private record Failures(int count, long last, String lastName) {}

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
        this(
                store,
                failures,
                period,
                capacity,
                System::nanoTime,
                new SharedFailures(shared, users, failures, period, capacity));
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
                ServletLog.IDENTITY.lockedOut(printable(key), period.toSeconds(), limit);
            }
            return null;
        }
        return map.forgetUnless(key, name) && !isLockedKey(key) ? identity : null;
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
        return known != null && known.count() >= limit && nanoTime.getAsLong() - known.last() < Delays.nanos(period);
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
        boolean recent = before != null && now - before.last() < Delays.nanos(period);
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
                ServletLog.IDENTITY.lockedOut(printable(key), period.toSeconds(), limit);
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
                    && now.last() - forgotten.last() < Delays.nanos(period)) {
                ServletLog.IDENTITY.lockOutOverflows(capacity);
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

        private static final long MILLIS = 1000;

        /** The number of failures and the time of the last one, before its name. */
        private static final int HEADER = Integer.BYTES + Long.BYTES;

        private final SharedMap map;
        private final String users;
        private final int limit;
        private final int seconds;
        private final int capacity;

        /** Keys that this server has put into the map: the oldest goes first, as attackers can send any number of names. */
        private final Map<String, Failures> put = new LinkedHashMap<>();

        SharedFailures(SharedMap map, String users, int limit, Duration period, int capacity) {
            this.map = map;
            this.users = users;
            this.limit = limit;
            this.capacity = capacity;
            seconds = (int) Math.max(1, Math.min(Integer.MAX_VALUE, period.toSeconds()));
        }

        /** The number of failures, with this one. */
        int add(String key, String name) throws IOException {
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            long now = System.currentTimeMillis();
            AtomicInteger count = new AtomicInteger();
            map.update(full(key), now, seconds, before -> {
                count.set(1 + recent(before, now));
                return ByteBuffer.allocate(HEADER + text.length)
                        .putInt(count.get())
                        .putLong(now)
                        .put(text)
                        .array();
            });
            bound(key, new Failures(count.get(), now, name));
            return count.get();
        }

        private String full(String key) {
            return users + "\n" + key;
        }

        /** The failures that count at a time; each counts from the last one. */
        private int recent(byte @Nullable [] stored, long now) {
            if (stored == null || stored.length < HEADER) {
                return 0;
            }
            ByteBuffer value = ByteBuffer.wrap(stored);
            int count = value.getInt();
            return now - value.getLong() < seconds * MILLIS ? count : 0;
        }

        int count(String key) throws IOException {
            return recent(value(map.get(full(key))), System.currentTimeMillis());
        }

        private static byte @Nullable [] value(SharedMap.@Nullable Entry entry) {
            return entry == null ? null : entry.value();
        }

        private void bound(String key, Failures now) throws IOException {
            Map.Entry<String, Failures> oldest = null;
            synchronized (put) {
                put.remove(key);
                put.put(key, now);
                if (put.size() > capacity) {
                    oldest = put.entrySet().iterator().next();
                    put.remove(oldest.getKey());
                }
            }
            if (oldest != null) {
                if (oldest.getValue().count() >= limit
                        && now.last() - oldest.getValue().last() < seconds * MILLIS) {
                    ServletLog.IDENTITY.lockOutOverflows(capacity);
                }
                map.remove(full(oldest.getKey()));
            }
        }

        /** After a login: forgets the failures, unless the name is locked, or was spelled otherwise, which may be another user's. */
        boolean forgetUnless(String key, String name) throws IOException {
            SharedMap.Entry entry = map.get(full(key));
            boolean locked = recent(value(entry), System.currentTimeMillis()) >= limit;
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
