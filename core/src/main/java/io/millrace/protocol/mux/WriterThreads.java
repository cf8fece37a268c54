package io.millrace.protocol.mux;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads that write for readers and workers, where writing blocks (bio). A reader that waited until its peer takes something would not
 * read meanwhile, and the peer may do the same. Nor may it wait for a worker: all of them may be waiting for bodies that
 * arrive only when the peer is told that it may send on. At most one thread for each connection, only while there is something
 * to write; idle ones end after some seconds.
 */
final class WriterThreads {

    private static final int IDLE_SECONDS = 5;

    private @Nullable ThreadPoolExecutor threads;

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
                    0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                        Thread thread = new Thread(task, "millrace-stream-writer-" + number.incrementAndGet());
                        thread.setDaemon(true);
                        return thread;
                    });
            threads = known;
        }
        return known;
    }
}
