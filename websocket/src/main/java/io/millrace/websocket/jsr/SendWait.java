package io.millrace.websocket.jsr;

import io.millrace.io.Completion;
import io.millrace.workers.Workers;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits until one message has been sent. */
final class SendWait implements Completion {

    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;

    @Override
    public void done(@Nullable Throwable why) {
        failure = why;
        done.countDown();
    }

    /**
     * Waits.
     *
     * @param executor notified of the wait if it is a worker pool, so that another thread may replace this one
     * @return false if the wait timed out
     */
    boolean await(long nanos, Executor executor) throws InterruptedException {
        if (done.getCount() == 0) {
            return true;
        }
        if (!(executor instanceof Workers workers)) {
            return done.await(nanos, TimeUnit.NANOSECONDS);
        }
        workers.beginWait();
        try {
            return done.await(nanos, TimeUnit.NANOSECONDS);
        } finally {
            workers.endWait();
        }
    }

    /** Whether the message has been sent. */
    boolean isSent() {
        return done.getCount() == 0 && failure == null;
    }

    /** The failure; null if the message was sent. Called after the wait. */
    @Nullable
    Throwable failure() {
        return failure;
    }
}
