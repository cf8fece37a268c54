package io.millrace.workers;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a {@link WorkerPool}, and the number of workers that are awake. Both numbers are in one atomic word, the
 * <i>load</i>, so that a worker cannot fall asleep while a task is being added. Thread-safe.
 */
final class TaskQueue {

    private static final long ONE_QUEUED = 1L << 32;
    private static final long ONE_AWAKE = 1L;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Go before the others. */
    private final Queue<Runnable> urgent = new ConcurrentLinkedQueue<>();

    /** Upper half: tasks queued. Lower half: workers awake, including those being started or woken. */
    private final AtomicLong load = new AtomicLong();

    /** Both numbers at one moment, for {@link #queued(long)} and {@link #awake(long)}. */
    long load() {
        return load.get();
    }

    static int queued(long load) {
        return (int) (load >>> 32);
    }

    static int awake(long load) {
        return (int) load;
    }

    int queued() {
        return queued(load.get());
    }

    int awake() {
        return awake(load.get());
    }

    /** Adds a task. Returns the load before it. */
    long add(Runnable task) {
        tasks.add(task);
        return load.getAndAdd(ONE_QUEUED);
    }

    /** Adds a task that goes before all others. */
    void addUrgent(Runnable task) {
        urgent.add(task);
        load.getAndAdd(ONE_QUEUED);
    }

    /** Removes a task that no worker has taken; false if one has. */
    boolean remove(Runnable task) {
        boolean removed = tasks.remove(task);
        if (removed) {
            load.addAndGet(-ONE_QUEUED);
        }
        return removed;
    }

    /** Removes the first task; null if the queue is empty. */
    @Nullable
    Runnable take() {
        Runnable first = urgent.poll();
        Runnable task = first != null ? first : tasks.poll();
        if (task != null) {
            load.addAndGet(-ONE_QUEUED);
        }
        return task;
    }

    /** Counts a worker as awake before it runs, so that the next task does not wake another one for the same work. */
    void countAwake() {
        load.addAndGet(ONE_AWAKE);
    }

    /** Reverts {@link #countAwake}. */
    void uncountAwake() {
        load.addAndGet(-ONE_AWAKE);
    }

    /**
     * Reverts {@link #countAwake} for a worker that found no task. False, without effect, if a task has been added
     * meanwhile.
     */
    boolean uncountIfEmpty() {
        while (true) {
            long now = load.get();
            if (queued(now) > 0) {
                return false;
            }
            if (load.compareAndSet(now, now - ONE_AWAKE)) {
                return true;
            }
        }
    }
}
