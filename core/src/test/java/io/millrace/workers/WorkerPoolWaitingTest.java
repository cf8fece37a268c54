package io.millrace.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While workers wait for their clients the pool … */
@Timeout(60)
final class WorkerPoolWaitingTest {

    private final WorkerPool pool = new WorkerPool("waiting", 2, 0);
    private final CountDownLatch clients = new CountDownLatch(1);

    @AfterEach
    void stop() {
        clients.countDown();
        pool.close();
    }

    private void waitForClients(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            pool.execute(() -> {
                pool.beginWait();
                begun.countDown();
                try {
                    clients.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    pool.endWait();
                }
            });
            assertTrue(begun.await(30, TimeUnit.SECONDS), "no thread for number " + i);
        }
    }

    @Test
    void hasThreadsForOthers() throws InterruptedException {
        waitForClients(8);
        CountDownLatch ran = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            pool.execute(() -> {
                ran.countDown();
                try {
                    ran.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        assertTrue(ran.await(30, TimeUnit.SECONDS), "others wait");
    }

    @Test
    void hasNoMoreThanFiveTimesItsThreads() throws InterruptedException {
        waitForClients(10);
        pool.execute(clients::countDown); // no thread is available for this task
        assertEquals(10, pool.threads());
        assertEquals(1, pool.queued());
        assertEquals(1, clients.getCount());
    }

    @Test
    void countsThemAgainAfterwards() throws InterruptedException {
        waitForClients(4);
        clients.countDown();
        pool.execute(() -> {});
        while (pool.active() > 0 || pool.queued() > 0) {
            Thread.onSpinWait();
        }
        assertEquals(2, pool.maxThreads());
    }
}
