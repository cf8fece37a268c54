package io.millrace.exchange;

import io.millrace.io.Blocker;
import io.millrace.workers.Workers;
import java.util.concurrent.CountDownLatch;

/** Waits by the connection's blocker, and notifies the workers, which may start another thread in place of the waiting one. */
record WorkerBlocker(Workers workers, Blocker blocker) implements Blocker {

    @Override
    public boolean mayBlock() {
        return blocker.mayBlock();
    }

    @Override
    public void await(CountDownLatch latch) throws InterruptedException {
        workers.beginWait();
        try {
            blocker.await(latch);
        } finally {
            workers.endWait();
        }
    }
}
