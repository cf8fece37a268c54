package io.millrace.servlet.identity;

import io.millrace.io.Delays;
import java.text.Normalizer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    LockOut(IdentityStore store, int failures, Duration period, int capacity, LongSupplier nanoTime) {
        this.store = store;
        this.limit = failures;
        this.period = period;
        this.capacity = capacity;
        this.nanoTime = nanoTime;
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
        return record(key(name), name, identity);
    }

    @Override
    public boolean isLocked(String name) {
        return isLockedKey(key(cut(name, MAX_READ))) || store.isLocked(name);
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
}
