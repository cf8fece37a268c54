package io.millrace.tls.layer;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the computations of handshakes on the workers, a few at once. A signature takes milliseconds of a processor: a
 * thousand clients that connect together would otherwise keep every worker computing, and the requests of those already
 * connected, and the pollers that read them, would wait for all.
 */
final class HandshakeTasks implements Executor {

    private final Executor workers;
    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;

    HandshakeTasks(Executor workers, int limit) {
        this.workers = workers;
        this.limit = limit;
    }

    /** Twice the processors: one computation may wait for an answer, of a revocation service for example. */
    static int defaultLimit() {
        return 2 * Runtime.getRuntime().availableProcessors();
    }

    /**
     * Runs the task on a worker, at once or when fewer than the limit run.
     *
     * @throws RejectedExecutionException if the workers take no more. Tasks that were waiting go on with the next one
     *     they take, or end with the timeout of their handshakes
     */
    @Override
    public void execute(Runnable task) {
        if (!mayRun(task)) {
            return;
        }
        boolean taken = false;
        try {
            workers.execute(() -> runAll(task));
            taken = true;
        } finally {
            if (!taken) {
                leave();
            }
        }
    }

    private boolean mayRun(Runnable task) {
        lock.lock();
        try {
            if (running == limit) {
                waiting.add(task);
                return false;
            }
            running++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            running--;
        } finally {
            lock.unlock();
        }
    }

    private void runAll(Runnable first) {
        for (Runnable task = first; task != null; task = next()) {
            try {
                task.run();
            } catch (Throwable thrown) {
                report(thrown);
            }
        }
    }

    private static void report(Throwable thrown) {
        try {
            TlsLog.LOG.handlerFailed(thrown);
        } catch (Throwable again) {
            // Out of memory, most likely. The handshakes that wait matter more than the message.
        }
    }

    private @Nullable Runnable next() {
        lock.lock();
        try {
            Runnable next = waiting.poll();
            if (next == null) {
                running--;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }
}
