package io.millrace.workers;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The waits for which another worker is woken immediately. */
@Timeout(60)
final class WorkerWaitTest {

    @Test
    void doesNotCountAWaitForALock() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        try {
            assertAsleep(false, lock::lockInterruptibly);
        } finally {
            lock.unlock();
        }
    }

    @Test
    void doesNotCountAWaitForAReadLock() throws Exception {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.writeLock().lock();
        try {
            assertAsleep(false, lock.readLock()::lockInterruptibly);
        } finally {
            lock.writeLock().unlock();
        }
    }

    @Test
    void doesNotCountAWaitForAMonitor() throws Exception {
        Object monitor = new Object();
        synchronized (monitor) {
            assertAsleep(false, () -> {
                synchronized (monitor) {
                    monitor.notifyAll();
                }
            });
        }
    }

    @Test
    void countsWaitsForWhatOthersBring() throws Exception {
        assertAsleep(true, () -> new CountDownLatch(1).await());
        assertAsleep(true, () -> new Semaphore(0).acquire());
        assertAsleep(true, () -> TimeUnit.DAYS.sleep(1));
        assertAsleep(true, () -> new ArrayBlockingQueue<String>(1).take());
    }

    private interface Wait {
        void begin() throws Exception;
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() != Thread.State.NEW && thread.getState() != Thread.State.RUNNABLE;
    }

    private static void assertAsleep(boolean expected, Wait wait) throws Exception {
        Thread waiting = new Thread(() -> {
            try {
                wait.begin();
            } catch (Exception ended) {
                // interrupted below
            }
        });
        waiting.setDaemon(true);
        waiting.start();
        while (!isWaiting(waiting)
                || KernelThread.isAsleep(waiting.getState(), LockSupport.getBlocker(waiting)) != expected) {
            Thread.onSpinWait(); // until the deadline of the test
        }
        waiting.interrupt();
    }
}
