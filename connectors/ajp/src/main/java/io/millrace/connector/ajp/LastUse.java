package io.millrace.connector.ajp;

import java.time.Duration;
import java.util.function.LongSupplier;

/** When a connection was used last: after a while it is asked whether it still works, before it gets a request. Any thread. */
final class LastUse {

    private static final long LONG_AGO = Duration.ofSeconds(1).toNanos();

    private final LongSupplier clock;
    private volatile long ended;

    /** @param clock as {@link System#nanoTime} */
    LastUse(LongSupplier clock) {
        this.clock = clock;
        ended = clock.getAsLong();
    }

    /** A response was read whole. */
    void ended() {
        ended = clock.getAsLong();
    }

    boolean isLongAgo() {
        return clock.getAsLong() - ended >= LONG_AGO;
    }
}
