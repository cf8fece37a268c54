package io.millrace.connector.ajp;

import java.time.Duration;
import java.util.function.LongSupplier;

/** The time of a connection's last use: after a second without use it is pinged before the next request. Thread-safe. */
final class LastUse {

    private static final long PING_AFTER_NANOS = Duration.ofSeconds(1).toNanos();

    private final LongSupplier clock;
    private volatile long ended;

    /** @param clock as {@link System#nanoTime} */
    LastUse(LongSupplier clock) {
        this.clock = clock;
        ended = clock.getAsLong();
    }

    /** Called when a response was read completely. */
    void ended() {
        ended = clock.getAsLong();
    }

    boolean isPingDue() {
        return clock.getAsLong() - ended >= PING_AFTER_NANOS;
    }
}
