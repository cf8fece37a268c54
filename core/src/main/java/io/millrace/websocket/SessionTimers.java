package io.millrace.websocket;

import io.millrace.io.Timers;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The timers of all WebSocket connections of the process. A connection has one only while something is due: an answer to a
 * close frame, the end of a slow write, a ping if there are to be any.
 */
final class SessionTimers {

    /** Of a stopping server's close frames, 20,000 a second: who loses a connection comes back at once. */
    private static final long SPREAD = TimeUnit.SECONDS.toNanos(1) / 20_000;

    private static final Timers TIMERS = new Timers("millrace-websocket");

    private static final AtomicLong NEXT_FREE = new AtomicLong(System.nanoTime());

    private SessionTimers() {}

    /** The task must not block. */
    static Timers.Timer after(long nanos, Runnable task) {
        return TIMERS.scheduleNanos(task, nanos);
    }

    /** Runs a task soon, but not together with many others. */
    static void spread(Runnable task) {
        long now = System.nanoTime();
        long due = NEXT_FREE.accumulateAndGet(now, (next, current) -> Math.max(next + SPREAD - current, 0) + current);
        if (due - now <= SPREAD) {
            task.run();
        } else {
            after(due - now, task);
        }
    }
}
