package io.millrace.connector.bio;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that waits for the peer inside its handler, and then makes the call that has become due. */
final class InlineWaiter {

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
