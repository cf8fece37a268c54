package io.millrace.workers;

import io.millrace.io.VirtualThreads;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.jboss.logging.Logger;

/**
 * A virtual thread for each task (Java 21 and later): as many requests run at once as there are. For applications that
 * wait much; where they do not, {@link WorkerPool} is faster, as starting a thread costs more than a short servlet.
 */
public final class VirtualWorkers implements Workers, AutoCloseable {

    private static final Logger LOG = Logger.getLogger(VirtualWorkers.class);

    private final String name;
    private final ThreadFactory threads;

    /** What threads of ours fail with; and the mark by which they are known, since no thread but ours has this one. */
    private final UncaughtExceptionHandler mark = this::failed;

    private volatile boolean closed;

    /**
     * Without a thread; they come with the tasks.
     *
     * @param name prefix of the threads' names
     * @throws IllegalStateException on a Java without virtual threads
     */
    public VirtualWorkers(String name) {
        this.name = name;
        threads = VirtualThreads.factory(name + "-", mark);
    }

    /**
     * Starts a thread for the task. Never blocks.
     *
     * @throws RejectedExecutionException after {@link #close}, or if it can't be started
     */
    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException(name + " is closed");
        }
        try {
            threads.newThread(task).start();
        } catch (OutOfMemoryError failure) { // also where the system has no thread left to carry it
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

    /** Takes no more tasks. Those running are not interrupted. */
    @Override
    public void close() {
        closed = true;
    }
}
