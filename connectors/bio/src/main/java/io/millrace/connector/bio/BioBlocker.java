package io.millrace.connector.bio;

import io.millrace.io.Blocker;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Blocks inside a call of the handler. The thread that called the handler is the connection's own, so no other thread would
 * wait for the peer meanwhile: it waits itself, and makes the calls that become due.
 */
final class BioBlocker implements Blocker {

    private final BioConnection connection;
    private final BioConnections connections;
    private final ThreadOwnership ownership;

    /** The thread that waits inside the handler. Written before the wait begins, read by the thread that takes the wait. */
    private @Nullable InlineWaiter inPlace;

    BioBlocker(BioConnection connection, BioConnections connections, ThreadOwnership ownership) {
        this.connection = connection;
        this.connections = connections;
        this.ownership = ownership;
    }

    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public void await(CountDownLatch latch) throws InterruptedException {
        connections.beginWait();
        try {
            awaitCounted(latch);
        } finally {
            connections.endWait();
        }
    }

    private void awaitCounted(CountDownLatch latch) throws InterruptedException {
        while (mustWatchPeer() && latch.getCount() > 0) {
            InlineWaiter here = new InlineWaiter();
            inPlace = here;
            connection.watchPeer(ThreadOwnership.State.WANTED, ThreadOwnership.Event.RETURN);
            Runnable call = here.await();
            if (call == null && ownership.take()) {
                inPlace = null;
                ownership.move(ThreadOwnership.State.RUNNING, ThreadOwnership.Event.AWAIT);
                throw new InterruptedException();
            }
            if (call == null) {
                call = here.awaitUninterruptibly();
            }
            inPlace = null;
            connection.call(call);
            connection.endIfClosed();
        }
        latch.await();
    }

    /** Whether the current thread calls the handler, and would wait for the peer after the call. */
    private boolean mustWatchPeer() {
        return connection.isRunner() && ownership.state() == ThreadOwnership.State.WANTED;
    }

    /** Makes the thread that waits in place run a call. False if no thread does. The caller has taken the wait. */
    boolean hand(Runnable call) {
        InlineWaiter waiting = inPlace;
        if (waiting == null) {
            return false;
        }
        waiting.hand(call);
        return true;
    }

    /** A thread that waits for the peer inside its handler, and then makes the call that has become due. */
    private static final class InlineWaiter {

        private final Thread thread = Thread.currentThread();
        private volatile @Nullable Runnable call;

        /** Passes it a call to make, once. Thread-safe. */
        void hand(Runnable given) {
            call = given;
            LockSupport.unpark(thread);
        }

        /** Waits for the call. Null if this thread is interrupted first. */
        @Nullable
        Runnable await() {
            while (call == null && !Thread.currentThread().isInterrupted()) {
                LockSupport.park(this);
            }
            return call;
        }

        /** Waits for the call even if interrupted. To be used only where the call is certain to arrive. */
        Runnable awaitUninterruptibly() {
            boolean interrupted = false;
            Runnable given = call;
            while (given == null) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
                given = call;
            }
            if (interrupted) {
                thread.interrupt();
            }
            return given;
        }
    }
}
