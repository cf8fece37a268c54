package io.millrace.exchange;

import io.millrace.io.Blocker;
import io.millrace.workers.Workers;
import java.util.concurrent.CountDownLatch;

/** Waits as the connection says; the workers are notified, so that another thread may take the place of the waiting one. */
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
