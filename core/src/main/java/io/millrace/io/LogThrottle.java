package io.millrace.io;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the rate of log messages that clients can cause: of each kind the first one, then at most one a minute, so that
 * a client cannot fill the disk. Thread-safe.
 *
 * @param <K> the kinds of messages
 */
public final class LogThrottle<K extends Enum<K>> {

    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private final Map<K, AtomicLong> next;
    private final long start = System.nanoTime();

    /** A throttle that has let nothing pass yet. */
    public LogThrottle(Class<K> kinds) {
        next = new EnumMap<>(kinds);
        for (K kind : kinds.getEnumConstants()) {
            next.put(kind, new AtomicLong());
        }
    }

    /** Whether a message of this kind may be logged now; the caller then logs it. */
    public boolean isDue(K kind) {
        AtomicLong time = next.get(kind);
        long now = System.nanoTime() - start;
        long due = time == null ? Long.MAX_VALUE : time.get();
        return time != null && now >= due && time.compareAndSet(due, now + PAUSE);
    }
}
