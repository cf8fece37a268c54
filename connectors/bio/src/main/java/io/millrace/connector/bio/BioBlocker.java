package io.millrace.connector.bio;

import io.millrace.io.Blocker;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Waits in the midst of a handler. The thread that called the handler is the connection's own, so nobody else would wait
 * for the peer meanwhile: it waits itself, and makes the calls that become due.
 */
final class BioBlocker implements Blocker {

    private final BioConnection connection;
    private final BioConnections others;
    private final ThreadOwnership turn;

    /** Who waits in the midst of the handler. Written before the wait begins, read by the one who takes it. */
    private @Nullable InlineWaiter inPlace;

    BioBlocker(BioConnection connection, BioConnections others, ThreadOwnership turn) {
        this.connection = connection;
        this.others = others;
        this.turn = turn;
    }

    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public void await(CountDownLatch latch) throws InterruptedException {
        others.beginWait();
        try {
            awaitCounted(latch);
        } finally {
            others.endWait();
        }
    }

    private void awaitCounted(CountDownLatch latch) throws InterruptedException {
        while (isMyWait() && latch.getCount() > 0) {
            InlineWaiter here = new InlineWaiter();
            inPlace = here;
            connection.watchPeer(ThreadOwnership.State.WANTED, ThreadOwnership.Event.RETURN);
            Runnable call = here.await();
            if (call == null && turn.take()) {
                inPlace = null;
                turn.move(ThreadOwnership.State.RUNNING, ThreadOwnership.Event.AWAIT);
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

    /** Has this thread called the handler, and will it have to wait for the peer when it is back? */
    private boolean isMyWait() {
        return connection.isRunner() && turn.state() == ThreadOwnership.State.WANTED;
    }

    /** By the one who has taken the wait: gives the thread that waits in place something to do. False if there is none. */
    boolean hand(Runnable call) {
        InlineWaiter waiting = inPlace;
        if (waiting == null) {
            return false;
        }
        waiting.hand(call);
        return true;
    }
}
