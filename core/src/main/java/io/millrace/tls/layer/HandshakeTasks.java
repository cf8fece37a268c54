package io.millrace.tls.layer;

import io.millrace.log.CoreLog;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the computations of handshakes on the workers, with a limit. A signature takes milliseconds of processor time: a thousand
 * clients that connect at once would otherwise occupy all workers, and delay the requests of established connections and the I/O
 * threads.
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

    /** Twice the number of processors: a computation may wait for a revocation service, for example. */
    static int defaultLimit() {
        return 2 * Runtime.getRuntime().availableProcessors();
    }

    /**
     * Runs the task on a worker, immediately or when fewer than the limit are running.
     *
     * @throws RejectedExecutionException if the workers accept no task. Queued tasks run after the next accepted one, or
     *     end with the timeout of their handshakes
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
            CoreLog.TLS.tlsFailed(thrown);
        } catch (Throwable again) {
            // probably out of memory; the pending handshakes must continue
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
