package io.millrace.protocol.mux;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads that read files for streams. A poller thread, on which most writes end, must not wait for a disk, and a worker may be
 * waiting for the very file. They wait for disks only, never for a peer, so a few are enough; idle ones end after some seconds.
 */
final class FileThreads {

    private static final int MOST = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
    private static final int IDLE_SECONDS = 5;

    private @Nullable ThreadPoolExecutor threads;

    /** One of these threads. */
    private static final class Reader extends Thread {

        Reader(Runnable task, int number) {
            super(task, "millrace-file-reader-" + number);
            setDaemon(true);
        }
    }

    /** Is the calling thread one of these? */
    boolean isCurrent() {
        return Thread.currentThread() instanceof Reader;
    }

    /** Runs it soon. False if no thread can be started. */
    boolean take(Runnable task) {
        try {
            threads().execute(task);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError none) {
            return false;
        }
    }

    private synchronized ThreadPoolExecutor threads() {
        ThreadPoolExecutor known = threads;
        if (known == null) {
            AtomicInteger number = new AtomicInteger();
            known = new ThreadPoolExecutor(
                    MOST,
                    MOST,
                    IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    task -> new Reader(task, number.incrementAndGet()));
            known.allowCoreThreadTimeOut(true);
            threads = known;
        }
        return known;
    }
}
