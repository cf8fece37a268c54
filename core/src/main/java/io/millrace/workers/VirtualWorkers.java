package io.millrace.workers;

import io.millrace.io.VirtualThreads;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.jboss.logging.Logger;

/**
 * Starts a virtual thread for each task (Java 21 and later), without a limit on their number. For applications that wait
 * a lot; otherwise {@link WorkerPool} is faster, because starting a thread costs more than a short servlet.
 */
public final class VirtualWorkers implements Workers, AutoCloseable {

    private static final Logger LOG = Logger.getLogger(VirtualWorkers.class);

    private final String name;
    private final ThreadFactory threads;

    /** Handles uncaught exceptions; also identifies the threads of this object, since no other thread has this handler. */
    private final UncaughtExceptionHandler mark = this::failed;

    private volatile boolean closed;

    /**
     * An executor without threads, which are started for the tasks.
     *
     * @param name the prefix of the threads' names
     * @throws IllegalStateException before Java 21
     */
    public VirtualWorkers(String name) {
        this.name = name;
        threads = VirtualThreads.factory(name + "-", mark);
    }

    /**
     * Starts a thread for the task. Never blocks.
     *
     * @throws RejectedExecutionException after {@link #close}, or if the thread cannot be started
     */
    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException(name + " is closed");
        }
        try {
            threads.newThread(task).start();
        } catch (OutOfMemoryError failure) { // also if no carrier thread can be started
            throw new RejectedExecutionException(name + " cannot start a thread", failure);
        }
    }

    @Override
    public boolean isWorker() {
        return mark.equals(Thread.currentThread().getUncaughtExceptionHandler());
    }

    private void failed(Thread thread, Throwable failure) {
        LOG.error(name + ": a task threw", failure);
    }

    /** Rejects further tasks. Running ones are not interrupted. */
    @Override
    public void close() {
        closed = true;
    }
}
