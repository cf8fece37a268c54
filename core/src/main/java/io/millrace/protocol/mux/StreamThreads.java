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
 * Daemon threads beside the workers, for what streams do that blocks. They are started when there is something to do; idle ones end
 * after some seconds. Any thread.
 */
final class StreamThreads {

    private static final int MOST_READERS = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
    private static final int IDLE_SECONDS = 5;

    private final String name;
    private final int most;
    private final AtomicInteger started = new AtomicInteger();
    private @Nullable ThreadPoolExecutor threads;

    private StreamThreads(String name, int most) {
        this.name = name;
        this.most = most;
    }

    /**
     * Threads that read files. A poller thread, on which most writes end, must not wait for a disk, and a worker may be waiting for
     * the very file. They wait for disks only, never for a peer, so a few are enough.
     */
    static StreamThreads readingFiles() {
        return new StreamThreads("millrace-file-reader-", MOST_READERS);
    }

    /**
     * Threads that write for readers and workers, where writing blocks (bio). A reader that waited until its peer takes something
     * would not read meanwhile, and the peer may do the same. Nor may it wait for a worker: all of them may be waiting for bodies
     * that arrive only when the peer is told that it may send on. At most one thread for each connection.
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

    /** Is the calling thread one of these? */
    boolean isCurrent() {
        return Thread.currentThread() instanceof StreamThread thread && thread.owner() == this;
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
            boolean unlimited = most == Integer.MAX_VALUE; // and so none ever has to wait for a thread
            BlockingQueue<Runnable> queue = unlimited ? new SynchronousQueue<>() : new LinkedBlockingQueue<>();
            known = new ThreadPoolExecutor(
                    unlimited ? 0 : most, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, StreamThread::new);
            known.allowCoreThreadTimeOut(true);
            threads = known;
        }
        return known;
    }
}
