package io.millrace.exchange;

import io.millrace.io.AtomicField;
import io.millrace.io.Blocker;
import io.millrace.io.LoopRole;
import io.millrace.io.Timers;
import io.millrace.jfr.Recorder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps (handlers) of an exchange, one after the other, each on a suitable thread. See {@link Flow} for the states.
 *
 * <p><b>Threads.</b> The thread that changes the state to RUNNING owns the exchange until it changes the state again: to
 * HANDOVER and READY, which pass it to the thread that runs the next step; to SUSPENDED, which leaves it to the holder of
 * the {@link Suspension}; or to ENDING. After that it accesses nothing. Plain fields are published by these changes.
 */
final class StepRunner implements Runnable {

    /** The number of consecutive steps on one thread before other exchanges run: a handler may dispatch endlessly. */
    static final int MAX_IN_PLACE = 16;

    private static final VarHandle FLOW = AtomicField.of(MethodHandles.lookup(), "flow", Flow.class);

    private final Exchange exchange;
    private final ExchangeContext context;
    private volatile Flow flow = Flow.READY;
    private @Nullable HttpHandler next;
    /** The one that runs a handler; for operators, so that other threads may see it late. */
    private @Nullable Thread thread;

    /** The route of the step that is handed over, if its time is to be taken. */
    private @Nullable RoutePrediction timed;

    private volatile @Nullable Suspended suspended;

    StepRunner(Exchange exchange, ExchangeContext context) {
        this.exchange = exchange;
        this.context = context;
    }

    /** Runs the first step. Called on the connection's thread, or on a worker. */
    void start(HttpHandler first, Blocker blocker) {
        next = first;
        proceed(blocker.mayBlock(), blocker.mayBlockWorker());
    }

    /** Runs the next step. Called on a thread of the executor that it was passed to. */
    @Override
    public void run() {
        RoutePrediction route = timed;
        if ((route == null ? step() : timedStep(route)) == Flow.READY) {
            proceed(false, true);
        }
    }

    private Flow timedStep(RoutePrediction route) {
        timed = null;
        InlineRuns runs = context.inline();
        if (runs == null) {
            return step();
        }
        MeasuredRun run = MeasuredRun.onWorker(runs, route, context.workers());
        try {
            return step();
        } finally {
            run.end();
        }
    }

    void dispatch(HttpHandler handler) {
        move(Flow.Event.DISPATCH);
        next = handler;
    }

    Suspended suspend(Duration timeout, HttpHandler onTimeout) {
        Suspended suspension = new Suspended(this, timeout.isZero() ? null : onTimeout.on(context.workers()));
        move(Flow.Event.SUSPEND);
        suspended = suspension;
        if (!timeout.isZero()) {
            suspension.expireAfter(timeout, context.timers());
        }
        return suspension;
    }

    /** Called by the thread that claimed the suspension, on which nothing runs. */
    void resume(HttpHandler handler) {
        next = handler;
        if (move(Flow.Event.RESUME) == Flow.SUSPENDED) {
            handOver(context.steps());
        }
    }

    /** The same for a handler that neither blocks nor belongs to an application, and may therefore run on this thread. */
    void resumeHere(NonBlockingHandler handler) {
        if (exchange.channel().connection().mayBlock()) {
            resume(handler);
            return;
        }
        next = handler;
        if (move(Flow.Event.RESUME) == Flow.SUSPENDED) {
            proceed(false, false);
        }
    }

    /** Fails the suspension, if there is one. Thread-safe. */
    void interrupt(Throwable cause) {
        Suspended suspension = suspended;
        if (suspension != null) {
            suspension.fail(cause);
        }
    }

    /** The thread that runs a handler now; null if none does. */
    @Nullable
    Thread thread() {
        return thread;
    }

    /** True once, when the last step has ended: the caller then ends the exchange. */
    boolean finish() {
        return flow == Flow.ENDING && FLOW.compareAndSet(this, Flow.ENDING, Flow.ENDED);
    }

    boolean isEnded() {
        return flow == Flow.ENDED;
    }

    /** Called by the owner in state READY: runs the next steps on this thread as long as that is possible. */
    private void proceed(boolean mayBlock, boolean mayBlockWorker) {
        int done = 0;
        @Nullable Flow now;
        do {
            Executor elsewhere = done < MAX_IN_PLACE ? elsewhere(mayBlock, mayBlockWorker) : otherExecutor();
            if (elsewhere == null) {
                now = step();
            } else {
                now = done < MAX_IN_PLACE && mayBlockWorker ? inlineStep() : null;
                if (now == null) {
                    handOver(elsewhere);
                    return;
                }
            }
            done++;
        } while (now == Flow.READY);
    }

    /**
     * Runs a step on this thread, an event loop's, that might block but is expected to be short; null, without effect, if that is
     * not possible. If it is not short, a worker polls for the loop meanwhile, and this thread counts as a worker.
     */
    private @Nullable Flow inlineStep() {
        InlineRuns runs = context.inline();
        HttpHandler handler = next;
        LoopRole role = runs == null ? null : exchange.blocker().role();
        if (runs == null || role == null || handler == null || !isForWorkers(handler)) {
            return null;
        }
        RoutePrediction route = routeOf(handler);
        long begun = System.nanoTime();
        if (!route.isShort(begun)) {
            timed = route.isUnknown() ? route : null;
            return null;
        }
        MeasuredRun run = MeasuredRun.inline(runs, route, context.workers(), role, begun);
        if (run == null) {
            return null;
        }
        try {
            return step();
        } finally {
            run.end();
        }
    }

    /** That of a handler which does not tell it is its class and the method. */
    private RoutePrediction routeOf(HttpHandler handler) {
        return handler instanceof PredictedHandler predicted
                ? predicted.prediction(exchange)
                : RoutePrediction.ByMethod.ofCalls(handler.getClass())
                        .of(exchange.request().method());
    }

    private boolean isForWorkers(HttpHandler handler) {
        return context.share() == null && !(handler instanceof HandlerOnExecutor);
    }

    /** The executor of the next step; null if it may run on this thread. */
    private @Nullable Executor elsewhere(boolean mayBlock, boolean mayBlockWorker) {
        if (next instanceof HandlerOnExecutor placed) {
            boolean isHere = placed.executor().equals(context.workers()) && mayBlockWorker && context.mayRunHere();
            return isHere ? null : executorOf(placed);
        }
        boolean may = mayBlock && context.share() == null
                || next instanceof NonBlockingHandler
                || mayBlockWorker && context.mayRunHere();
        return may ? null : context.steps();
    }

    private Executor otherExecutor() {
        return next instanceof HandlerOnExecutor placed ? executorOf(placed) : context.steps();
    }

    private Executor executorOf(HandlerOnExecutor placed) {
        return placed.executor().equals(context.workers()) ? context.steps() : placed.executor();
    }

    private void handOver(Executor to) {
        try {
            Recorder.RequestSpan recorded = exchange.recorded();
            if (recorded != null) {
                recorded.handedOver();
            }
            exchange.blocker().handedOver(); // first: afterwards the exchange belongs to the other thread
            to.execute(this);
        } catch (Throwable refused) { // an application's executor may throw anything
            exchange.refused(refused);
            move(Flow.Event.REJECT);
            exchange.settled();
        }
    }

    /** Runs one step, and returns the new state. Unless it is READY, this thread no longer owns the exchange. */
    private Flow step() {
        RequestId id = exchange.requestId();
        if (id == null) {
            return runStep();
        }
        RequestId before = RequestId.enter(id);
        try {
            return runStep();
        } finally {
            RequestId.enter(before);
        }
    }

    private Flow runStep() {
        move(Flow.Event.RUN);
        HttpHandler handler = next;
        next = null;
        Throwable thrown = handler == null ? null : call(handler);
        if (flow == Flow.RUNNING) {
            // Before RETURN, so that an immediate completion leaves the end of the exchange to this method,
            // instead of nesting it.
            exchange.complete(thrown);
        } else if (thrown != null) {
            overrule(thrown);
        }
        Flow now = Flow.next(move(Flow.Event.RETURN), Flow.Event.RETURN);
        if (now == Flow.ENDING) {
            exchange.settled();
        }
        return now;
    }

    /**
     * Calls a handler, and restores the thread's interrupt status and context class loader, since the thread continues with
     * other requests. An interrupt status would also close a file channel that is read to end the response.
     *
     * @return the exception of the handler; null if there is none
     */
    @SuppressWarnings("ReferenceEquality") // class loaders are compared by identity
    private @Nullable Throwable call(HttpHandler handler) {
        Thread current = Thread.currentThread();
        thread = current;
        ClassLoader loader = current.getContextClassLoader();
        StepWatch watch = exchange.watch();
        Recorder.RequestSpan recorded = exchange.recorded();
        if (recorded != null) {
            recorded.running();
        }
        Thread.interrupted(); // a stray interrupt of an earlier request
        try {
            if (watch != null) {
                watch.begun(current);
            }
            handler.handle(exchange);
            return null;
        } catch (Throwable failure) {
            return failure;
        } finally {
            if (watch != null) {
                watch.ended();
            }
            Thread.interrupted();
            thread = null; // while this thread still owns the exchange
            if (current.getContextClassLoader() != loader) {
                current.setContextClassLoader(loader);
            }
        }
    }

    /** Called if a handler threw after it had dispatched or suspended: the exception wins, unless another thread continues. */
    private void overrule(Throwable thrown) {
        Suspended suspension = suspended;
        if (flow == Flow.SUSPENDING && suspension != null && suspension.claim()) {
            suspension.cancelTimer();
            resume(new FailingStep(thrown));
        } else if (flow == Flow.HANDOVER) {
            next = new FailingStep(thrown);
        } else {
            exchange.thrownTooLate(thrown);
        }
    }

    /** Makes the transition. Returns the state before it. */
    private Flow move(Flow.Event event) {
        while (true) {
            Flow from = flow;
            if (FLOW.compareAndSet(this, from, Flow.next(from, event))) {
                return from;
            }
        }
    }

    /**
     * One suspension of an exchange, which can be ended once. Each suspension has its own object, so that late calls on an old one
     * do not affect a later one.
     */
    static final class Suspended implements Suspension, Runnable {

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

    /** A step that fails the exchange with an exception that was thrown elsewhere. */
    private record FailingStep(Throwable cause) implements NonBlockingHandler {

        @Override
        public void handle(HttpExchange exchange) throws Exception {
            if (cause instanceof Error error) {
                throw error;
            }
            throw cause instanceof Exception exception ? exception : new IllegalStateException(cause);
        }
    }
}
