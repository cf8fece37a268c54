package io.millrace.io.socket;

import static io.millrace.io.TransportOptions.MAX_CONNECTIONS;

import io.millrace.io.TransportOptions;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.CancelledKeyException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections from an {@link AcceptSource} while the {@link AcceptGate} is open; otherwise new connections wait
 * in the backlog. Several acceptors may share a thread, but not with connections, which under load would delay
 * accepting.
 */
public final class Acceptor {

    /** The number of connections accepted in a row before other acceptors on the thread run. */
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
     * An acceptor that has not been started.
     *
     * @param thread runs one task at a time; sockets that a task closes are released before tasks that it submits run
     * @param onAccept called on the thread with a configured socket; must not block. If it throws, the socket is closed
     *     and no longer counted
     */
    public <S extends Closeable> Acceptor(
            AcceptSource<S> source, TransportOptions options, Executor thread, Consumer<? super S> onAccept) {
        this.options = options;
        this.thread = thread;
        gate = new AcceptGate(options.name(), options.get(MAX_CONNECTIONS), this::scheduleTurn, System::nanoTime);
        admission = new Admission<>(source, gate, socket -> {
            options.meter().accept();
            onAccept.accept(socket);
        });
    }

    /** Starts accepting. */
    public void start() {
        thread.execute(this::open);
    }

    /** The executor of its thread. */
    Executor thread() {
        return thread;
    }

    /** The address it listens on. */
    public SocketAddress address() {
        return admission.source().address();
    }

    /** Counts the open connections and limits their number. Safe to call from any thread. */
    public AcceptGate gate() {
        return gate;
    }

    /** Closes the listening socket; when this method returns, no further connection is accepted. */
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

    /** Only a failure of the selector loop ends accepting: the process may run out of memory or descriptors temporarily. */
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
     * Gathers connections, which are then accepted together: accepting each one separately costs a wake-up of this
     * thread and two context switches. Threads that wait for the processor run first, since they serve open connections;
     * if there are none, a yield costs half a microsecond. Saves 16 % of the CPU time of short connections.
     */
    @SuppressWarnings("ThreadPriorityCheck") // affects only performance
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
            thread.execute(closed::countDown); // after the selector has released the descriptor in its next turn
        }
    }

    /**
     * Accepts sockets from a source, configures them and passes them on. Confined to the acceptor's thread.
     *
     * @param source the listening socket
     * @param gate counts the connections and limits their number
     * @param onAccept receives each socket
     * @param <S> the type of sockets
     */
    record Admission<S extends Closeable>(AcceptSource<S> source, AcceptGate gate, Consumer<? super S> onAccept) {

        /** Accepts at most this many connections; returns their number. */
        int admit(int most) {
            int count = 0;
            while (count < most && gate.isOpen() && admitOne()) {
                count++;
            }
            return count;
        }

        /** False if no connection is pending. */
        private boolean admitOne() {
            S socket = null;
            boolean handedOver = false;
            try {
                socket = source.accept();
                if (socket == null) {
                    return false;
                }
                gate.enter();
                source.configure(socket);
                onAccept.accept(socket);
                handedOver = true;
            } catch (Throwable failed) { // an error must not end the acceptor silently
                if (socket == null || !(failed instanceof IOException)) {
                    gate.failed(failed);
                } // otherwise the peer has already disconnected
            } finally {
                if (socket != null && !handedOver) {
                    gate.giveBack();
                    discard(socket);
                }
            }
            return true;
        }

        private void discard(S socket) {
            try {
                socket.close();
            } catch (IOException broken) {
                // it is closed nevertheless
            }
        }
    }
}
