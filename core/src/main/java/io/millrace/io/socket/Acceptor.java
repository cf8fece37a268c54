package io.millrace.io.socket;

import static io.millrace.io.TransportOptions.MAX_CONNECTIONS;

import io.millrace.io.TransportOptions;
import java.io.Closeable;
import java.net.SocketAddress;
import java.nio.channels.CancelledKeyException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections from an {@link AcceptSource} while the {@link AcceptGate} is open; while it is shut, new connections
 * wait in the backlog. Several acceptors may share a thread, but not with connections: load would keep new ones out.
 */
public final class Acceptor {

    /** Connections accepted in a row before other acceptors of the thread have their turn. */
    private static final int BATCH = 64;

    private final TransportOptions options;
    private final Executor thread;
    private final AcceptGate gate;
    private final Admission<?> admission;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean closing;

    // ---- confined to the thread

    private volatile @Nullable Thread owner;
    private final AcceptRate rate = new AcceptRate();
    private boolean ended;
    private boolean retryScheduled;

    /**
     * Accepts nothing until it is started.
     *
     * @param thread runs one task at a time, and closes what is closed in one task before the next that it is given then
     * @param onAccept called on the thread with a configured socket; must not block. If it throws, the socket is
     *     closed and no longer counted
     */
    public <S extends Closeable> Acceptor(
            AcceptSource<S> source, TransportOptions options, Executor thread, Consumer<? super S> onAccept) {
        this.options = options;
        this.thread = thread;
        gate = new AcceptGate(options.name(), options.get(MAX_CONNECTIONS), this::scheduleTurn, System::nanoTime);
        admission = new Admission<>(source, gate, onAccept);
    }

    /** Begins to accept. */
    public void start() {
        thread.execute(this::open);
    }

    /** Where it listens. */
    public SocketAddress address() {
        return admission.source().address();
    }

    /** The number of open connections, and the admission limit. Any thread. */
    public AcceptGate gate() {
        return gate;
    }

    /** Closes the listening socket; returns when no connection is accepted any more. */
    @SuppressWarnings("ReferenceEquality") // threads are compared by identity
    public void close() {
        closing = true;
        if (Thread.currentThread() == owner) {
            end();
            return;
        }
        thread.execute(this::end);
        try {
            closed.await();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void scheduleTurn() {
        if (!closing) {
            thread.execute(this::turn);
        }
    }

    // ---- on the thread

    private void open() {
        owner = Thread.currentThread();
        try {
            admission.source().open(this::turn);
            turn();
        } catch (Throwable broken) {
            fail(broken);
        }
    }

    /** Only the end of the selector loop ends it: a shortage of memory or of descriptors may pass. */
    private void turn() {
        if (ended || closing) {
            return;
        }
        try {
            gather();
            int count = admission.admit(BATCH);
            rate.record(count, System.nanoTime());
            if (count == BATCH) {
                scheduleTurn();
            }
            admission.source().watch(gate.isOpen());
        } catch (CancelledKeyException cancelled) {
            fail(cancelled);
            return;
        } catch (Throwable failed) {
            gate.failed(failed);
        }
        scheduleRetry();
    }

    /**
     * Lets connections gather, which are then accepted together: accepting each alone costs the connecting client a wake-up
     * of this thread, and us two context switches. Threads that wait for the processor run first, since they serve open
     * connections; where none waits, a yield costs half a microsecond. Saves 16 % of the CPU of short connections.
     */
    @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it
    private void gather() {
        if (rate.isHigh()) {
            LockSupport.parkNanos(this, AcceptRate.PAUSE_NANOS);
        } else {
            Thread.yield();
        }
    }

    /** Schedules another attempt if accepting fails. */
    private void scheduleRetry() {
        long delay = gate.retryDelayMillis();
        if (delay > 0 && !retryScheduled) {
            retryScheduled = true;
            try {
                options.timers().schedule(() -> thread.execute(this::retry), Duration.ofMillis(delay));
            } catch (Throwable noRetry) {
                fail(noRetry);
            }
        }
    }

    private void retry() {
        retryScheduled = false;
        turn();
    }

    private void fail(Throwable cause) {
        SocketLog.LOG.acceptorEnded(options.name(), cause);
        end();
    }

    private void end() {
        if (!ended) {
            ended = true;
            admission.source().close();
            thread.execute(closed::countDown); // in its next turn: the selector releases the descriptor in between
        }
    }
}
