package io.millrace.servlet.security;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Refuses a name for a while after repeated failures, right password or not. */
public final class LockOut implements IdentityStore {

    /** Names remembered at once, the oldest forgotten first: an attacker invents as many as he likes. */
    private static final int MAX_NAMES = 10_000;

    /** Longer names, which nobody has, share their beginnings' fate. */
    private static final int MAX_NAME_LENGTH = 128;

    private record Failures(int count, long lastNanos) {}

    private final IdentityStore store;
    private final int limit;
    private final Duration period;
    private final LongSupplier nanoTime;
    private final Map<String, Failures> failures = new LinkedHashMap<>();

    /**
     * Wraps a store.
     *
     * @param failures in a row before the name is locked
     * @param period how long it stays so, from the last failure on
     */
    public LockOut(IdentityStore store, int failures, Duration period) {
        this(store, failures, period, System::nanoTime);
    }

    LockOut(IdentityStore store, int failures, Duration period, LongSupplier nanoTime) {
        this.store = store;
        this.limit = failures;
        this.period = period;
        this.nanoTime = nanoTime;
    }

    /** Five failures, five minutes, as Tomcat's LockOutRealm. */
    public static LockOut around(IdentityStore store) {
        return new LockOut(store, 5, Duration.ofMinutes(5));
    }

    /** Asks the store even if the name is locked, so that the answer takes as long. */
    @Override
    public @Nullable Identity verify(String name, String password) {
        Identity identity = store.verify(name, password);
        String key = name.length() > MAX_NAME_LENGTH ? name.substring(0, MAX_NAME_LENGTH) : name;
        return judge(key, identity);
    }

    private synchronized @Nullable Identity judge(String key, @Nullable Identity identity) {
        long now = nanoTime.getAsLong();
        Failures before = failures.get(key);
        boolean recent = before != null && now - before.lastNanos() < period.toNanos();
        boolean locked = recent && before != null && before.count() >= limit;
        if (identity != null && !locked) {
            failures.remove(key);
            return identity;
        }
        if (identity == null) {
            int count = recent && before != null ? before.count() + 1 : 1;
            remember(key, new Failures(count, now));
            if (count == limit) {
                SecurityLog.LOG.lockedOut(printable(key), period.toSeconds(), limit);
            }
        }
        return null;
    }

    private void remember(String key, Failures now) {
        failures.remove(key);
        failures.put(key, now);
        if (failures.size() > MAX_NAMES) {
            String eldest = failures.keySet().iterator().next();
            Failures forgotten = failures.remove(eldest);
            if (forgotten != null
                    && forgotten.count() >= limit
                    && now.lastNanos() - forgotten.lastNanos() < period.toNanos()) {
                SecurityLog.LOG.lockOutOverflows(MAX_NAMES);
            }
        }
    }

    private static String printable(String name) {
        StringBuilder text = new StringBuilder();
        name.chars().forEach(c -> text.append(c >= 0x20 && c < 0x7f && c != '"' ? (char) c : '?'));
        return text.toString();
    }
}
