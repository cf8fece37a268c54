package io.millrace.websocket.jsr;

import io.millrace.io.Completion;
import io.millrace.workers.Workers;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits until a message has been sent. Once. */
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
     * @param executor told of the wait if it is a pool of workers, so that another thread may take the place of this one
     * @return false if the time is up
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

    /** Has the message been sent, so that there is nothing to wait for? */
    boolean isSent() {
        return done.getCount() == 0 && failure == null;
    }

    /** Why the message was not sent; null if it was. After the wait. */
    @Nullable
    Throwable failure() {
        return failure;
    }
}
