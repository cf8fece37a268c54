package io.millrace.connector.bio;

import static io.millrace.io.TransportOptions.MAX_THREADS;

import io.millrace.io.TransportOptions;
import io.millrace.io.socket.TaskFailures;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A bounded pool of platform threads; connections that find all of them busy wait in a FIFO queue. */
final class PooledThreads implements Threads {

    private static final long KEEP_ALIVE_SECONDS = 60;

    private static final int MAX_CONSECUTIVE_CALLS = 64;

    /** The bound for threads that wait inside a handler, as a multiple of the pool's size: clients can cause such waits. */
    private static final int MAX_WAITING_FACTOR = 4;

    private final Pool pool;
    private final int max;

    /** The number of threads that wait for their peers inside a handler. Guarded by this. */
    private int waiting;

    PooledThreads(TransportOptions options) {
        this(options.get(MAX_THREADS), named(options.name()));
    }

    PooledThreads(int max, ThreadFactory factory) {
        this.max = max;
        pool = new Pool(max, factory);
    }

    private static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> thread(task, name + "-" + number.incrementAndGet());
    }

    /** A thread that inherits nothing from its creator, which may run an application's code. */
    private static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setContextClassLoader(PooledThreads.class.getClassLoader());
        return thread;
    }

    /**
     * {@inheritDoc}
     *
     * @throws OutOfMemoryError if no thread can be started, and none exists that would run the task later
     */
    @Override
    public void execute(Runnable task) {
        try {
            pool.execute(task);
        } catch (OutOfMemoryError noThread) { // the pool has not queued the task, and its count of threads is correct
            if (pool.getPoolSize() == 0) {
                throw noThread;
            }
            TaskFailures.log(Thread.currentThread().getName(), noThread);
            pool.enqueue(task);
        }
    }

    @Override
    public void beginWait() {
        resize(1);
        Runnable first =
                pool.getPoolSize() < pool.getMaximumPoolSize() ? pool.getQueue().poll() : null;
        if (first != null) {
            execute(first);
        }
    }

    /** A thread in excess ends when it is idle. */
    @Override
    public void endWait() {
        resize(-1);
    }

    private synchronized void resize(int change) {
        waiting += change;
        pool.setMaximumPoolSize(max + Math.min(waiting, MAX_WAITING_FACTOR * max));
    }

    @Override
    public boolean isShort() {
        return !pool.getQueue().isEmpty();
    }

    /** Waiting connections get a thread earlier than that ({@link #isShort}). */
    @Override
    public int maxConsecutiveCalls(int busy) {
        return MAX_CONSECUTIVE_CALLS;
    }

    @Override
    public void end(Runnable ended) {
        pool.ended = ended;
        pool.shutdown();
    }

    private static final class Pool extends ThreadPoolExecutor {
        volatile Runnable ended = () -> {};

        Pool(int max, ThreadFactory factory) {
            super(1, max, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, new WaitingQueue(), factory, Pool::enqueue);
            // no thread lives for ever: its thread-locals might keep the classes of a stopped application
            allowCoreThreadTimeOut(true);
        }

        private static void enqueue(Runnable task, ThreadPoolExecutor full) {
            ((Pool) full).enqueue(task);
        }

        void enqueue(Runnable task) {
            if (isShutdown()) {
                throw new RejectedExecutionException("the transport has stopped");
            }
            ((WaitingQueue) getQueue()).enqueue(task);
            try {
                prestartCoreThread(); // all threads may have ended just now, after a minute without work
            } catch (OutOfMemoryError noThread) {
                if (getPoolSize() == 0 && remove(task)) {
                    throw noThread;
                }
            }
        }

        @Override
        protected void terminated() {
            ended.run();
        }
    }

    /** Accepts offers only if a thread waits for work, so that the pool starts another thread before it queues tasks. */
    private static final class WaitingQueue extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }

        void enqueue(Runnable task) {
            super.offer(task);
        }
    }
}
