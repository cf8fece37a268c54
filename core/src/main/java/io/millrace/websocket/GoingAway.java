package io.millrace.websocket;

import io.millrace.io.Timers;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Spreads the close frames of a stopping server over time, 20,000 a second: disconnected clients reconnect immediately, to
 * other servers, which could not accept all of them at once.
 */
final class GoingAway {

    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1) / 20_000;

    private static final AtomicLong NEXT = new AtomicLong(System.nanoTime());

    private GoingAway() {}

    /** Runs a task now, or on the timer thread when its turn comes. */
    static void spread(Timers timers, Runnable task) {
        long now = System.nanoTime();
        long due = NEXT.accumulateAndGet(now, (last, current) -> current + Math.max(0, last + PAUSE - current));
        if (due == now) {
            task.run();
        } else {
            timers.scheduleNanos(task, due - now);
        }
    }
}
