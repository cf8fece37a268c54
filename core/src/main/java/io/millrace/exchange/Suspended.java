package io.millrace.exchange;

import io.millrace.io.AtomicField;
import io.millrace.io.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One suspension of an exchange, which can be ended once. Each suspension has its own object, so that late calls on an old one
 * do not affect a later one.
 */
final class Suspended implements Suspension, Runnable {

    private static final VarHandle USED = AtomicField.of(MethodHandles.lookup(), "used", boolean.class);

    private static final NonBlockingHandler DONE = exchange -> {};

    private final StepRunner steps;
    private final @Nullable HttpHandler onTimeout;
    private volatile boolean used;
    private volatile Timers.@Nullable Timer timer;

    /** @param onTimeout the handler for the timeout; null if there is no timeout */
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

    /** Called on the timer thread when the timeout has expired; only queues the step. */
    @Override
    public void run() {
        HttpHandler next = onTimeout;
        if (next != null) {
            use(next);
        }
    }

    /** Starts the timeout. Called once, after the exchange was suspended; the suspension may have ended meanwhile. */
    void expireAfter(Duration timeout, Timers timers) {
        timer = timers.schedule(this, timeout);
        if (used) {
            cancelTimer();
        }
    }

    /** True for the first call only: that thread continues the exchange. */
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
