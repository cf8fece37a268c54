package io.millrace.protocol.mux;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Daemon threads for blocking operations of streams, in addition to the workers. They are started on demand; idle ones end
 * after a few seconds. Thread-safe.
 */
final class StreamThreads {

    private static final int MAX_READERS = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
    private static final int IDLE_SECONDS = 5;

    private final String name;
    private final int max;
    private final AtomicInteger started = new AtomicInteger();
    private @Nullable ThreadPoolExecutor threads;

    private StreamThreads(String name, int max) {
        this.name = name;
        this.max = max;
    }

    /**
     * Threads that read files. An I/O thread, on which most writes end, must not block on a disk, and a worker may be waiting
     * for the file. These threads block on disks only, never on a peer, so that a few suffice.
     */
    static StreamThreads readingFiles() {
        return new StreamThreads("millrace-file-reader-", MAX_READERS);
    }

    /**
     * Threads that write for readers and workers, where writing blocks (bio). A reader that blocked on a write would not read
     * meanwhile, and the peer may do the same: a deadlock. Nor may writing depend on a worker: all of them may be waiting for
     * bodies that arrive only after a window update. At most one thread for each connection.
     */
    static StreamThreads writing() {
        return new StreamThreads("millrace-stream-writer-", Integer.MAX_VALUE);
    }

    private final class StreamThread extends Thread {

        StreamThread(Runnable task) {
            super(task, name + started.incrementAndGet());
            setDaemon(true);
        }

        StreamThreads owner() {
            return StreamThreads.this;
        }
    }

    /** Whether the calling thread is one of these. */
    boolean isCurrent() {
        return Thread.currentThread() instanceof StreamThread thread && thread.owner() == this;
    }

    /** Runs a task soon. False if no thread can be started. */
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
            boolean unlimited = max == Integer.MAX_VALUE; // tasks then never wait for a thread
            BlockingQueue<Runnable> queue = unlimited ? new SynchronousQueue<>() : new LinkedBlockingQueue<>();
            known = new ThreadPoolExecutor(
                    unlimited ? 0 : max, max, IDLE_SECONDS, TimeUnit.SECONDS, queue, StreamThread::new);
            known.allowCoreThreadTimeOut(true);
            threads = known;
        }
        return known;
    }
}
