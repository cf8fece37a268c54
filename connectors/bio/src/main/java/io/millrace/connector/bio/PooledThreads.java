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

/** At most so many platform threads; connections that find all of them busy wait in line, first come, first served. */
final class PooledThreads implements Threads {

    private static final long SPARE_SECONDS = 60;

    private static final int MOST_IN_A_ROW = 64;

    /** For each thread there may be so many more that wait: a bound for what strangers can bring about. */
    private static final int MOST_WAITING = 4;

    private final Pool pool;
    private final int most;

    /** Threads that wait for their peers with a handler on the stack. Guarded by this. */
    private int waiting;

    PooledThreads(TransportOptions options) {
        this(options.get(MAX_THREADS), named(options.name()));
    }

    /** Of this kind. */
    PooledThreads(int most, ThreadFactory factory) {
        this.most = most;
        pool = new Pool(most, factory);
    }

    private static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> thread(task, name + "-" + number.incrementAndGet());
    }

    /** With nothing of whoever needs it, who may be an application: what runs there is not its own. */
    private static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setContextClassLoader(PooledThreads.class.getClassLoader());
        return thread;
    }

    /**
     * {@inheritDoc}
     *
     * @throws OutOfMemoryError if no thread can be started, and there is none that will get to it
     */
    @Override
    public void execute(Runnable task) {
        try {
            pool.execute(task);
        } catch (OutOfMemoryError noThread) { // the pool has taken back its count of threads, and has not kept the task
            if (pool.getPoolSize() == 0) {
                throw noThread;
            }
            TaskFailures.log(Thread.currentThread().getName(), noThread);
            pool.standInLine(task);
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

    /** One that is too many ends when it is idle. */
    @Override
    public void endWait() {
        resize(-1);
    }

    private synchronized void resize(int change) {
        waiting += change;
        pool.setMaximumPoolSize(most + Math.min(waiting, MOST_WAITING * most));
    }

    @Override
    public boolean isShort() {
        return !pool.getQueue().isEmpty();
    }

    /** Those in line get their turn sooner ({@link #isShort}). */
    @Override
    public int mostInARow(int busy) {
        return MOST_IN_A_ROW;
    }

    @Override
    public void end(Runnable ended) {
        pool.ended = ended;
        pool.shutdown();
    }

    private static final class Pool extends ThreadPoolExecutor {
        volatile Runnable ended = () -> {};

        Pool(int most, ThreadFactory factory) {
            super(1, most, SPARE_SECONDS, TimeUnit.SECONDS, new Line(), factory, Pool::standInLine);
            // none for good, or the classes of an application that has ended might stay in its thread-locals
            allowCoreThreadTimeOut(true);
        }

        private static void standInLine(Runnable task, ThreadPoolExecutor full) {
            ((Pool) full).standInLine(task);
        }

        void standInLine(Runnable task) {
            if (isShutdown()) {
                throw new RejectedExecutionException("the transport has stopped");
            }
            ((Line) getQueue()).join(task);
            try {
                prestartCoreThread(); // if all have ended in this moment, after a minute without work
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

    /** Takes offers only for threads that wait for work, so that the pool starts one more before anybody stands in line. */
    private static final class Line extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }

        /** Whatever the other methods of the queue are made of. */
        void join(Runnable task) {
            super.offer(task);
        }
    }
}
