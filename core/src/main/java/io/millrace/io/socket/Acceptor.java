package io.millrace.io.socket;

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
 * Accepts from an {@link Entrance} as long as the {@link AcceptGate} is open; while it is shut new connections wait in the
 * backlog. It works on a thread that other acceptors may share, but no connection that has something to do: otherwise load
 * would keep new connections out.
 */
public final class Acceptor {

    /** So many are accepted before others have their turn. */
    private static final int CROWD = 64;

    private final TransportOptions options;
    private final Executor thread;
    private final AcceptGate gate;
    private final Reception<?> reception;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean closing;

    // for the thread alone

    private volatile @Nullable Thread itself;
    private final Rush rush = new Rush();
    private boolean over;
    private boolean resting;

    /**
     * Accepts nobody until it is started.
     *
     * @param thread runs one task at a time, and closes what is closed in one task before the next that it is given then
     * @param onAccept called on the thread with a socket that is configured; must not block. If it throws, the socket is
     *     closed and counted off
     */
    public <S extends Closeable> Acceptor(
            Entrance<S> entrance, TransportOptions options, Executor thread, Consumer<? super S> onAccept) {
        this.options = options;
        this.thread = thread;
        gate = new AcceptGate(options.name(), options.maxConnections(), this::look, System::nanoTime);
        reception = new Reception<>(entrance, gate, onAccept);
    }

    /** Begins to accept. */
    public void start() {
        thread.execute(this::open);
    }

    /** Where it listens. */
    public SocketAddress address() {
        return reception.entrance().address();
    }

    /** Who is inside, and whether more may come. Any thread. */
    public AcceptGate gate() {
        return gate;
    }

    /** Closes the listening socket; returns when nobody is accepted any more. */
    @SuppressWarnings("ReferenceEquality") // this very thread
    public void close() {
        closing = true;
        if (Thread.currentThread() == itself) {
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

    private void look() {
        if (!closing) {
            thread.execute(this::turn);
        }
    }

    // ---- on the thread

    private void open() {
        itself = Thread.currentThread();
        try {
            reception.entrance().open(this::turn);
            turn();
        } catch (Throwable broken) {
            broke(broken);
        }
    }

    /** Only a watcher that has ended ends it: whatever else fails, memory or the kernel's, may be there again soon. */
    private void turn() {
        if (over || closing) {
            return;
        }
        try {
            letOthersCome();
            int count = reception.admit(CROWD);
            rush.came(count, System.nanoTime());
            if (count == CROWD) {
                look();
            }
            reception.entrance().watch(gate.isOpen());
        } catch (CancelledKeyException ended) {
            broke(ended);
            return;
        } catch (Throwable failed) {
            gate.failed(failed);
        }
        rest();
    }

    /**
     * Others come meanwhile, who are then accepted together; each alone costs whoever connects the waking of this thread, and
     * us two changes of threads. Where threads wait for the processor they go first: they serve those who are inside.
     * Elsewhere a yield costs half a microsecond.
     */
    @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it
    private void letOthersCome() {
        if (rush.isOn()) {
            LockSupport.parkNanos(this, Rush.PAUSE_NANOS);
        } else {
            Thread.yield();
        }
    }

    /** Tries again in a while, if accepting fails. */
    private void rest() {
        long patience = gate.patienceMillis();
        if (patience > 0 && !resting) {
            resting = true;
            try {
                options.timers().schedule(() -> thread.execute(this::rested), Duration.ofMillis(patience));
            } catch (Throwable nobodyWillTryAgain) {
                broke(nobodyWillTryAgain);
            }
        }
    }

    private void rested() {
        resting = false;
        turn();
    }

    private void broke(Throwable why) {
        SocketLog.LOG.acceptorEnded(options.name(), why);
        end();
    }

    private void end() {
        if (!over) {
            over = true;
            reception.entrance().close();
            thread.execute(closed::countDown); // in its next turn: a selector lets go of what it watched in between
        }
    }
}
