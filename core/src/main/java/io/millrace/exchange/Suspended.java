package io.millrace.exchange;

import io.millrace.io.AtomicField;
import io.millrace.io.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One suspension of an exchange: a ticket that is used once. Late uses of an old ticket can't touch a later suspension of
 * the same exchange, since each has its own.
 */
final class Suspended implements Suspension, Runnable {

    private static final VarHandle USED = AtomicField.of(MethodHandles.lookup(), "used", boolean.class);

    private static final NonBlockingHandler DONE = exchange -> {};

    private final StepRunner steps;
    private final @Nullable HttpHandler onTimeout;
    private volatile boolean used;
    private volatile Timers.@Nullable Timer timer;

    /** @param onTimeout null if it does not expire */
    Suspended(StepRunner steps, @Nullable HttpHandler onTimeout) {
        this.steps = steps;
        this.onTimeout = onTimeout;
    }

    @Override
    public boolean resume(HttpHandler next) {
        return use(next);
    }

    @Override
    public boolean complete() {
        return use(DONE);
    }

    @Override
    public boolean completeHere() {
        if (!claim()) {
            return false;
        }
        cancelTimer();
        steps.resumeHere(DONE);
        return true;
    }

    @Override
    public boolean fail(Throwable cause) {
        return use(new FailingStep(cause));
    }

    /** The time is up. On the timers' thread, which only queues the step. */
    @Override
    public void run() {
        HttpHandler next = onTimeout;
        if (next != null) {
            use(next);
        }
    }

    /** Once, after the exchange was suspended. If the ticket is used already the timer finds that out itself. */
    void expireAfter(Duration timeout, Timers timers) {
        timer = timers.schedule(this, timeout);
        if (used) {
            cancelTimer();
        }
    }

    /** True for the first caller only, who may then go on. */
    boolean claim() {
        return !used && USED.compareAndSet(this, false, true);
    }

    void cancelTimer() {
        Timers.Timer running = timer;
        if (running != null) {
            running.cancel();
        }
    }

    private boolean use(HttpHandler next) {
        if (!claim()) {
            return false;
        }
        cancelTimer();
        steps.resume(next);
        return true;
    }
}
