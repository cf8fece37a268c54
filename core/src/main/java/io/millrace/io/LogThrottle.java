package io.millrace.io;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits how often something that clients can cause is logged: the first event of each kind, and then one a minute, so that a
 * client cannot fill the disk. Any thread.
 *
 * @param <K> the kinds
 */
public final class LogThrottle<K extends Enum<K>> {

    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private final Map<K, AtomicLong> next;
    private final long start = System.nanoTime();

    /** Nothing was logged yet. */
    public LogThrottle(Class<K> kinds) {
        next = new EnumMap<>(kinds);
        for (K kind : kinds.getEnumConstants()) {
            next.put(kind, new AtomicLong());
        }
    }

    /** Is a line of this kind due? The caller then writes it. */
    public boolean isDue(K kind) {
        AtomicLong mine = next.get(kind);
        long now = System.nanoTime() - start;
        long due = mine == null ? Long.MAX_VALUE : mine.get();
        return mine != null && now >= due && mine.compareAndSet(due, now + PAUSE);
    }
}
