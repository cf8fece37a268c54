package io.millrace.workers;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Divides the threads of a pool between clients that have many requests at once, so that none can occupy all: between
 * connections, and by {@link AddressShares} between addresses. A share may always run
 * one task. It may run another only while it runs fewer than twice as many as all shares together leave free; further
 * tasks wait in order, and hold no thread. One share alone thus gets two thirds of the threads, the next two thirds of the
 * rest, and both two fifths once tasks have ended: a part always remains. No client has to be told that others wait, and
 * while few tasks run, none waits.
 *
 * <p>A task that ends starts tasks of the shares that wait, in turn, and of its own: a share that waits runs a task, whose
 * end is its next opportunity.
 *
 * <p>Tasks that were started by tasks, {@linkplain WorkerShare#nested nested} ones, have a depth. One may start, whatever
 * else runs, if no task of its share is as deep: what all running tasks may wait for thus always runs. Others have depth 0.
 *
 * <p><b>Threads.</b> Thread-safe. The lock is held for a few instructions.
 */
final class WorkerShares {

    /** The maximum number of shares that are looked at, besides the own one, when a task ends. */
    private static final int LOOKS = 2;

    /** The innermost task of a share that the thread runs. */
    private static final ThreadLocal<@Nullable Turn> CURRENT = new ThreadLocal<>();

    private final long max;

    // guarded by this
    private final Queue<Share> waiting = new ArrayDeque<>();
    private final Map<Object, Share> keyed = new HashMap<>();
    private long used;

    /**
     * The shares of a pool.
     *
     * @param max the number of tasks that it runs at the same time
     */
    WorkerShares(long max) {
        this.max = max;
    }

    /**
     * A share for the tasks of one connection.
     *
     * @param workers runs the tasks
     * @param most the maximum number of its tasks that run at the same time, whatever is free
     * @param reached called when a task has to wait
     */
    WorkerShare share(Executor workers, int most, Runnable reached) {
        return new View(new Share(null, most), null, most, workers, workers, reached);
    }

    /**
     * The share with this key, which exists while it has tasks.
     *
     * @param workers runs the tasks: a share of another division, for example
     * @param nested runs its {@linkplain WorkerShare#nested nested} tasks
     */
    WorkerShare share(Object key, Executor workers, Executor nested, int most, Runnable reached) {
        return new View(null, key, most, workers, nested, reached);
    }

    /** A share as seen by one of its users. */
    private final class View implements WorkerShare {

        private final @Nullable Share own;
        private final @Nullable Object key;
        private final int most;
        private final Executor workers;
        private final Executor nested;
        private final Runnable reached;

        View(@Nullable Share own, @Nullable Object key, int most, Executor workers, Executor nested, Runnable reached) {
            this.own = own;
            this.key = key;
            this.most = most;
            this.workers = workers;
            this.nested = nested;
            this.reached = reached;
        }

        @Override
        public void execute(Runnable task) {
            submit(workers, task, false);
        }

        @Override
        public Executor nested() {
            return task -> submit(nested, task, true);
        }

        @Override
        public boolean isHeld() {
            return running() != null;
        }

        /** The task of this share that the current thread runs, perhaps within it one of another; null if there is none. */
        @SuppressWarnings("ReferenceEquality") // this very share
        private @Nullable Turn running() {
            Turn turn = CURRENT.get();
            while (turn != null && (key == null ? turn.share != own : !key.equals(turn.share.key))) {
                turn = turn.outer;
            }
            return turn;
        }

        private Share share() {
            return own == null ? keyed.computeIfAbsent(key, absent -> new Share(absent, most)) : own;
        }

        private void submit(Executor on, Runnable task, boolean isNested) {
            Turn outer = isNested ? running() : null;
            int depth = outer != null ? outer.depth + 1 : isNested ? 1 : 0;
            Turn turn;
            boolean starts;
            synchronized (WorkerShares.this) {
                Share share = share();
                turn = new Turn(share, on, task, depth);
                starts = share.isFirst(turn) && share.mayStart(turn);
                if (starts) {
                    share.count(turn, 1);
                } else {
                    enqueue(turn);
                }
            }
            if (!starts) {
                reached.run();
                return;
            }
            boolean started = false;
            try {
                on.execute(turn);
                started = true;
            } finally {
                if (!started) {
                    free(turn);
                }
            }
        }
    }

    private void enqueue(Turn turn) {
        Share share = turn.share;
        if (share.tasks.isEmpty()) {
            waiting.add(share);
        }
        share.tasks.add(turn);
        share.nestedWaiting += turn.depth > 0 ? 1 : 0;
    }

    private synchronized void free(Turn turn) {
        turn.share.count(turn, -1);
        if (turn.share.key != null && turn.share.running == 0 && turn.share.tasks.isEmpty()) {
            keyed.remove(turn.share.key);
        }
    }

    /** Guarded by the shares. */
    private final class Share {

        private final @Nullable Object key;
        private final int most;
        private final Deque<Turn> tasks = new ArrayDeque<>(0);

        /** The number of running tasks by their depth, above 0. */
        private final NavigableMap<Integer, Integer> depths = new TreeMap<>();

        private int running;
        private int nestedWaiting;

        Share(@Nullable Object key, int most) {
            this.key = key;
            this.most = most;
        }

        /** Whether no task that waits comes before this one. */
        boolean isFirst(Turn turn) {
            return tasks.isEmpty() || isDeepest(turn);
        }

        boolean mayStart(Turn turn) {
            return running == 0 || running < most && running < 2 * (max - used) || isDeepest(turn);
        }

        private boolean isDeepest(Turn turn) {
            return turn.depth > (depths.isEmpty() ? 0 : depths.lastKey());
        }

        void count(Turn turn, int more) {
            running += more;
            used += more;
            if (turn.depth > 0) {
                depths.merge(turn.depth, more, (a, b) -> a + b == 0 ? null : a + b);
            }
        }

        /** The next task, which is then counted; null if none may start. */
        @Nullable
        Turn begin() {
            Turn next = tasks.peek();
            if (next != null && !mayStart(next)) {
                next = nestedWaiting == 0
                        ? null
                        : tasks.stream().filter(this::isDeepest).findFirst().orElse(null);
            }
            if (next != null) {
                tasks.remove(next); // the first, in most cases
                nestedWaiting -= next.depth > 0 ? 1 : 0;
                count(next, 1);
            }
            return next;
        }
    }

    /** A task that waits or runs. */
    private final class Turn implements Runnable {

        private final Share share;
        private final Executor workers;
        private final Runnable task;
        private final int depth;

        /** The task of another share within which it runs. Confined to its thread. */
        private @Nullable Turn outer;

        Turn(Share share, Executor workers, Runnable task, int depth) {
            this.share = share;
            this.workers = workers;
            this.task = task;
            this.depth = depth;
        }

        @Override
        public void run() {
            Throwable failure = null;
            Turn next = this;
            while (next != null) {
                try {
                    next.runTask();
                } catch (Throwable thrown) { // the tasks that wait must start all the same
                    failure = thrown;
                }
                next = ended(next);
            }
            if (failure instanceof Error error) {
                throw error;
            } else if (failure != null) {
                throw (RuntimeException) failure;
            }
        }

        private void runTask() {
            outer = CURRENT.get();
            CURRENT.set(this);
            try {
                task.run();
            } finally {
                if (outer == null) {
                    CURRENT.remove();
                } else {
                    CURRENT.set(outer);
                }
            }
        }
    }

    /** Starts tasks that waited for this end. Returns one that the executor could not start: the caller runs it. */
    private @Nullable Turn ended(Turn last) {
        free(last);
        Turn next = next(last.share);
        while (next != null) {
            try {
                next.workers.execute(next);
            } catch (RejectedExecutionException | Error failed) { // full, closed, or without threads
                return next;
            }
            next = next(last.share);
        }
        return null;
    }

    private synchronized @Nullable Turn next(Share own) {
        for (int looks = Math.min(LOOKS, waiting.size()); looks > 0; looks--) {
            Share first = waiting.remove();
            Turn turn = first.begin();
            if (!first.tasks.isEmpty()) {
                waiting.add(first);
            }
            if (turn != null) {
                return turn;
            }
        }
        Turn turn = own.begin();
        if (turn != null && own.tasks.isEmpty()) {
            waiting.remove(own);
        }
        return turn;
    }
}
