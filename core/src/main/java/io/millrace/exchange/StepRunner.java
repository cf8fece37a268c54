package io.millrace.exchange;

import io.millrace.io.AtomicField;
import io.millrace.io.Blocker;
import io.millrace.workers.Workers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of one exchange, one after the other, each where it belongs. See {@link Flow} for the states.
 *
 * <p><b>Threads.</b> The thread that moves the flow to RUNNING owns the exchange until it moves it on: to HANDOVER and
 * READY, which give it to the thread that runs the next step; to SUSPENDED, which leaves it to the holder of the {@link
 * Suspension}; or to ENDING. After such a move it touches nothing. Plain fields are written before the move that gives
 * them away.
 */
final class StepRunner implements Runnable {

    /** Steps that follow each other on one thread before other exchanges get their turn: a handler may dispatch for ever. */
    static final int MAX_IN_PLACE = 16;

    private static final VarHandle FLOW = AtomicField.of(MethodHandles.lookup(), "flow", Flow.class);

    private final Exchange exchange;
    private final ExchangeContext context;
    private volatile Flow flow = Flow.READY;
    private @Nullable HttpHandler next;

    private volatile @Nullable Suspended suspended;

    StepRunner(Exchange exchange, ExchangeContext context) {
        this.exchange = exchange;
        this.context = context;
    }

    /** The first step, on the connection's thread. */
    void start(HttpHandler first, Blocker blocker) {
        next = first;
        proceed(blocker.mayBlock(), blocker.mayBlockWorker());
    }

    /** The next step, on a thread of the executor that it was handed to. */
    @Override
    public void run() {
        if (step() == Flow.READY) {
            proceed(false, true);
        }
    }

    void dispatch(HttpHandler handler) {
        move(Flow.Event.DISPATCH);
        next = handler;
    }

    Suspended suspend(Duration timeout, HttpHandler onTimeout) {
        Suspended ticket = new Suspended(this, timeout.isZero() ? null : onTimeout.on(context.workers()));
        move(Flow.Event.SUSPEND);
        suspended = ticket;
        if (!timeout.isZero()) {
            ticket.expireAfter(timeout, context.timers());
        }
        return ticket;
    }

    /** Called by the one who claimed the suspension, on any thread: runs nothing here. */
    void resume(HttpHandler handler) {
        next = handler;
        if (move(Flow.Event.RESUME) == Flow.SUSPENDED) {
            handOver(context.workers());
        }
    }

    /** The same, where this thread may run what neither blocks nor is an application's. */
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

    /** Ends the wait of a suspended exchange, if it is one. Any thread. */
    void interrupt(Throwable cause) {
        Suspended ticket = suspended;
        if (ticket != null) {
            ticket.fail(cause);
        }
    }

    /** True once: for the one who ends an exchange whose last step is over. */
    boolean finish() {
        return flow == Flow.ENDING && FLOW.compareAndSet(this, Flow.ENDING, Flow.ENDED);
    }

    boolean isEnded() {
        return flow == Flow.ENDED;
    }

    /** This thread owns the READY exchange: runs its next steps here as long as they belong here. */
    private void proceed(boolean mayBlock, boolean mayBlockWorker) {
        int done = 0;
        do {
            Executor elsewhere = done < MAX_IN_PLACE ? elsewhere(mayBlock, mayBlockWorker) : fartherOff();
            if (elsewhere != null) {
                handOver(elsewhere);
                return;
            }
            done++;
        } while (step() == Flow.READY);
    }

    /** Where the next step must go; null if it may run on this thread. */
    private @Nullable Executor elsewhere(boolean mayBlock, boolean mayBlockWorker) {
        Workers workers = context.workers();
        if (next instanceof HandlerOnExecutor placed) {
            boolean isHere = placed.executor().equals(workers) && mayBlockWorker && workers.isWorker();
            return isHere ? null : placed.executor();
        }
        boolean may = mayBlock || next instanceof NonBlockingHandler || mayBlockWorker && workers.isWorker();
        return may ? null : workers;
    }

    private Executor fartherOff() {
        return next instanceof HandlerOnExecutor placed ? placed.executor() : context.workers();
    }

    private void handOver(Executor to) {
        try {
            exchange.blocker().handedOver(); // before: the exchange belongs to the other thread then
            to.execute(this);
        } catch (Throwable refused) { // an application's executor may throw anything
            exchange.refused(refused);
            move(Flow.Event.REJECT);
            exchange.settled();
        }
    }

    /** Runs one step. What it returns says who owns the exchange now; unless it is READY, this thread does not. */
    private Flow step() {
        move(Flow.Event.RUN);
        HttpHandler handler = next;
        next = null;
        Throwable thrown = handler == null ? null : call(handler);
        if (flow == Flow.RUNNING) {
            // Before RETURN, so that a completion that comes at once leaves the end to this thread, higher up its
            // stack.
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
     * What a handler does to its thread stays within its request, also where the thread goes straight on with the next one of
     * the connection, and before the response is ended: an interrupt status closes a file that is read, for all who read it.
     *
     * @return what it threw
     */
    @SuppressWarnings("ReferenceEquality") // this very loader
    private @Nullable Throwable call(HttpHandler handler) {
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        StepWatch watch = exchange.watch();
        Thread.interrupted(); // it was meant for another request
        try {
            if (watch != null) {
                watch.begun(thread);
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
            if (thread.getContextClassLoader() != loader) {
                thread.setContextClassLoader(loader);
            }
        }
    }

    /** The handler settled what comes next and then threw: the exception counts, unless another thread continues already. */
    private void overrule(Throwable thrown) {
        Suspended ticket = suspended;
        if (flow == Flow.SUSPENDING && ticket != null && ticket.claim()) {
            ticket.cancelTimer();
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
}
