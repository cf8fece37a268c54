package io.millrace.workers;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Divides the threads of a pool between connections that have many requests at once, so that none can occupy all. A
 * connection may always run one task. It may run another only while it runs fewer than twice as many as all connections
 * together leave free; further tasks wait in order, and hold no thread. One connection alone thus gets two thirds of the
 * threads, the next two thirds of the rest, and both two fifths once tasks have ended: a part always remains. No connection has to be told that others
 * wait, and while few tasks run, none waits.
 *
 * <p>A task that ends starts tasks of the connections that wait, in turn, and of its own: a connection that waits runs a
 * task, whose end is its next opportunity.
 *
 * <p><b>Threads.</b> Thread-safe. The lock is held for a few instructions.
 */
final class WorkerShares {

    /** The maximum number of connections that are looked at, besides the own one, when a task ends. */
    private static final int LOOKS = 2;

    private final Executor workers;
    private final long max;

    // guarded by this
    private final Queue<Share> waiting = new ArrayDeque<>();
    private long used;

    /**
     * The shares of one executor.
     *
     * @param max the number of tasks that it runs at the same time
     */
    WorkerShares(Executor workers, int max) {
        this.workers = workers;
        this.max = max;
    }

    /**
     * An executor for the tasks of one connection.
     *
     * @param most the maximum number of its tasks that run at the same time, whatever is free
     */
    Executor share(int most) {
        return new Share(most);
    }

    private final class Share implements Executor {

        private final int most;

        // guarded by the shares
        private final Queue<Runnable> tasks = new ArrayDeque<>(0);
        private int running;

        Share(int most) {
            this.most = most;
        }

        boolean mayStart() {
            return running == 0 || running < most && running < 2 * (max - used);
        }

        void count(int tasksMore) {
            running += tasksMore;
            used += tasksMore;
        }

        @Override
        public void execute(Runnable task) {
            synchronized (WorkerShares.this) {
                if (!tasks.isEmpty() || !mayStart()) {
                    if (tasks.isEmpty()) {
                        waiting.add(this);
                    }
                    tasks.add(task);
                    return;
                }
                count(1);
            }
            boolean started = false;
            try {
                workers.execute(new Turn(this, task));
                started = true;
            } finally {
                if (!started) {
                    synchronized (WorkerShares.this) {
                        count(-1);
                    }
                }
            }
        }
    }

    /** A task that runs. */
    private final class Turn implements Runnable {

        private final Share share;
        private final Runnable task;

        Turn(Share share, Runnable task) {
            this.share = share;
            this.task = task;
        }

        @Override
        public void run() {
            Throwable failure = null;
            Turn next = this;
            while (next != null) {
                try {
                    next.task.run();
                } catch (Throwable thrown) { // the tasks that wait must start all the same
                    failure = thrown;
                }
                next = ended(next.share);
            }
            if (failure instanceof Error error) {
                throw error;
            } else if (failure != null) {
                throw (RuntimeException) failure;
            }
        }
    }

    /** Starts tasks that waited for this end. Returns one that the executor could not start: the caller runs it. */
    private @Nullable Turn ended(Share share) {
        synchronized (this) {
            share.count(-1);
        }
        Turn next = next(share);
        while (next != null) {
            try {
                workers.execute(next);
            } catch (RejectedExecutionException | Error failed) { // full, closed, or without threads
                return next;
            }
            next = next(share);
        }
        return null;
    }

    private synchronized @Nullable Turn next(Share own) {
        for (int looks = Math.min(LOOKS, waiting.size()); looks > 0; looks--) {
            Share first = waiting.remove();
            Turn turn = first.mayStart() ? begin(first) : null;
            if (!first.tasks.isEmpty()) {
                waiting.add(first);
            }
            if (turn != null) {
                return turn;
            }
        }
        if (own.tasks.isEmpty() || !own.mayStart()) {
            return null;
        }
        Turn turn = begin(own);
        if (own.tasks.isEmpty()) {
            waiting.remove(own);
        }
        return turn;
    }

    private Turn begin(Share share) {
        share.count(1);
        return new Turn(share, share.tasks.remove());
    }
}
