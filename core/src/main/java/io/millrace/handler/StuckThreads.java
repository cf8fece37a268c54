package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.StepWatch;
import io.millrace.io.Timers;
import io.millrace.log.CoreLog;
import io.millrace.text.Plural;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Logs threads that have been busy with one request for too long, with their stack traces, and when they have finished,
 * like Tomcat's StuckThreadDetectionValve. Can also interrupt them. Suspended requests occupy no thread. Several
 * instances on the path of a request work independently. Thread-safe.
 */
public final class StuckThreads {

    private static final long LONGEST_PERIOD = TimeUnit.SECONDS.toNanos(10);
    private static final long SHORTEST_PERIOD = TimeUnit.MILLISECONDS.toNanos(10);

    /** The maximum number of stack traces that are logged at a time; further threads follow at the next check. */
    private static final int AT_A_TIME = 10;

    /** Specific to this instance: a request that passes two of its handlers is watched once. */
    private final AttributeKey<ExchangeWatch> key = AttributeKey.of("stuck thread watch", ExchangeWatch.class);

    private final long threshold;
    /** 0 for never. */
    private final long interruptAfter;

    private final Set<Step> running = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean armed = new AtomicBoolean();

    /**
     * An instance for the requests of one or several handlers.
     *
     * @param threshold after how long a thread counts as stuck
     * @param interruptAfter after how long it is interrupted, at least the threshold; null for never
     */
    public StuckThreads(Duration threshold, @Nullable Duration interruptAfter) {
        if (threshold.isNegative() || threshold.isZero()) {
            throw new IllegalArgumentException("the threshold is " + threshold + "; expected a positive duration");
        }
        this.threshold = TimeUnit.NANOSECONDS.convert(threshold);
        this.interruptAfter =
                interruptAfter == null ? 0 : Math.max(this.threshold, TimeUnit.NANOSECONDS.convert(interruptAfter));
    }

    /** A handler that watches the requests to another one. */
    public HttpHandler wrap(HttpHandler next) {
        NonBlockingHandler watching = exchange -> {
            if (exchange.attribute(key) == null) {
                ExchangeWatch watch = new ExchangeWatch(exchange);
                exchange.attributes().put(key, watch);
                exchange.attributes().put(StepWatch.WATCH, watch.after(exchange.attribute(StepWatch.WATCH)));
            }
            // dispatch, so that the handler runs in a step of its own, which is watched
            exchange.dispatch(next);
        };
        return watching;
    }

    private void arm(Timers timers) {
        if (armed.compareAndSet(false, true)) {
            boolean scheduled = false;
            try {
                timers.scheduleNanos(
                        () -> check(timers), Math.max(SHORTEST_PERIOD, Math.min(LONGEST_PERIOD, threshold / 2)));
                scheduled = true;
            } finally {
                if (!scheduled) {
                    armed.set(false);
                }
            }
        }
    }

    /** Called on the timer thread, which must not wait for the log. */
    private void check(Timers timers) {
        armed.set(false);
        if (running.isEmpty()) {
            return;
        }
        arm(timers);
        long now = System.nanoTime();
        List<Step> found = new ArrayList<>();
        for (Step step : running) {
            if (found.size() < AT_A_TIME && step.isDue(now)) {
                found.add(step);
            }
        }
        if (!found.isEmpty()) {
            Thread reporter = new Thread(() -> found.forEach(this::report), "stuck-threads");
            reporter.setDaemon(true);
            reporter.start();
        }
    }

    private void report(Step step) {
        if (step.markStuck()) {
            Throwable where = new Throwable("stack trace of the stuck thread");
            where.setStackTrace(step.thread.getStackTrace());
            CoreLog.HANDLER.threadStuck(
                    step.thread.getName(),
                    step.request,
                    step.seconds(),
                    seconds(threshold),
                    Plural.of(countStuck(), "thread"),
                    where);
        }
        if (interruptAfter > 0 && step.nanos() >= interruptAfter && step.interrupt()) {
            CoreLog.HANDLER.threadInterrupted(step.thread.getName(), step.request, step.seconds());
        }
    }

    private long countStuck() {
        return running.stream().filter(Step::isStuck).count();
    }

    private static double seconds(long nanos) {
        long millis = nanos / 1_000_000;
        return millis / 1000.0;
    }

    /** Follows the steps of one exchange, which run one after the other. */
    private final class ExchangeWatch implements StepWatch {

        private final String request;
        private final Timers timers;
        private @Nullable Step current;

        ExchangeWatch(HttpExchange exchange) {
            request = exchange.toString();
            timers = exchange.channel().timers();
        }

        @Override
        public void begun(Thread thread) {
            Step step = new Step(thread, request);
            current = step;
            running.add(step);
            arm(timers);
        }

        @Override
        public void ended() {
            Step step = current;
            current = null;
            if (step != null) {
                running.remove(step);
                if (step.end()) {
                    CoreLog.HANDLER.threadNoLongerStuck(
                            step.thread.getName(), request, step.seconds(), Plural.of(countStuck(), "thread"));
                }
            }
        }
    }

    /** One call of a handler. Its lock prevents an interrupt from reaching the thread's next request. */
    private final class Step {

        private final Thread thread;
        private final String request;
        private final long since = System.nanoTime();
        private boolean stuck;
        private boolean interrupted;
        private boolean over;

        Step(Thread thread, String request) {
            this.thread = thread;
            this.request = request;
        }

        synchronized boolean isDue(long now) {
            long nanos = now - since;
            return !over
                    && (!stuck && nanos >= threshold || interruptAfter > 0 && !interrupted && nanos >= interruptAfter);
        }

        /** True for the first call during the step. */
        synchronized boolean markStuck() {
            boolean first = !stuck && !over;
            stuck |= first;
            return first;
        }

        synchronized boolean isStuck() {
            return stuck;
        }

        /** True for the first call during the step. */
        synchronized boolean interrupt() {
            if (interrupted || over) {
                return false;
            }
            interrupted = true;
            thread.interrupt();
            return true;
        }

        /** Whether it was stuck. */
        synchronized boolean end() {
            over = true;
            return stuck;
        }

        long nanos() {
            return System.nanoTime() - since;
        }

        double seconds() {
            return StuckThreads.seconds(nanos());
        }
    }
}
