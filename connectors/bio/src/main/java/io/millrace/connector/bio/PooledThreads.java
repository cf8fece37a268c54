package io.millrace.connector.bio;

import io.millrace.io.TransportOptions;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** At most so many platform threads; connections that find all of them busy wait in line, first come, first served. */
final class PooledThreads implements Threads {

    private static final long SPARE_SECONDS = 60;

    private final Pool pool;

    PooledThreads(TransportOptions options) {
        AtomicInteger number = new AtomicInteger();
        pool = new Pool(
                options.maxThreads(), task -> new Thread(task, options.name() + "-" + number.incrementAndGet()));
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    public boolean isShort() {
        return !pool.getQueue().isEmpty();
    }

    @Override
    public void end(Runnable ended) {
        pool.ended = ended;
        pool.shutdown();
    }

    private static final class Pool extends ThreadPoolExecutor {
        volatile Runnable ended = () -> {};

        Pool(int most, java.util.concurrent.ThreadFactory factory) {
            super(most, most, SPARE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
            allowCoreThreadTimeOut(true);
        }

        @Override
        protected void terminated() {
            ended.run();
        }
    }
}
