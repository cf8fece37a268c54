package io.millrace.connector.bio;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that waits for the peer inside its handler, and then runs itself what became due. */
final class InlineWaiter {

    private final Thread thread = Thread.currentThread();
    private volatile @Nullable Runnable call;

    /** Gives it something to do, once. Any thread. */
    void hand(Runnable given) {
        call = given;
        LockSupport.unpark(thread);
    }

    /** What was given; waits for it. Null if this thread was interrupted before. */
    @Nullable
    Runnable await() {
        while (call == null && !Thread.currentThread().isInterrupted()) {
            LockSupport.park(this);
        }
        return call;
    }

    /** The same, whatever happens: it is known to come. */
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
