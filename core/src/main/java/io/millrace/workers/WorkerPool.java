package io.millrace.workers;

import io.millrace.io.Timers;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Threads for what may block, made for tasks that mostly do not.
 *
 * <p>Waking a thread costs more than a short servlet. So a task wakes a worker only if the workers that are awake will not
 * get to it soon: one awake worker per processor empties the queue, task after task, and under load no thread is woken at
 * all. That would be wrong for tasks that take long, so a {@link Supervisor} looks at the workers about every millisecond
 * while tasks come. If tasks wait behind one that is blocked it wakes others, twice as many each time; if they wait behind
 * one that has computed for long, one in its place. From then on it lets that many be woken at once: for tasks that
 * take long the wake-up costs next to nothing. Workers that are blocked count as absent. So a task is delayed by those
 * before it for a moment, once; after that the pool behaves like any other.
 *
 * <p>Tasks start in the order they came. Idle workers wait last-in first-out, so few threads stay warm and the others
 * end after a minute, unless configured otherwise.
 */
public final class WorkerPool implements Workers, AutoCloseable {

    /** After so long without a task a thread ends, if nothing else is said. */
    public static final Duration MAX_IDLE = Duration.ofMinutes(1);

    private final String name;
    private final int maxThreads;
    private final int maxQueueSize;
    private final int parallelism;
    private final TaskQueue tasks = new TaskQueue();
    private final WorkerFailures failures;
    private final WorkerThreads threads;
    private final Supervisor supervisor;
    private final @Nullable Timers ownTimers;

    /** Workers that may be awake before a task is left to them. Written by the supervisor, and by {@link #close}. */
    private volatile int enough;

    private volatile boolean closed;

    /**
     * A pool without threads; they come as they are needed.
     *
     * @param name prefix of the threads' names
     * @param maxThreads as many tasks run at once; the rest waits
     * @param minSpareThreads so many threads stay for good once they were started
     */
    public WorkerPool(String name, int maxThreads, int minSpareThreads) {
        this(name, maxThreads, minSpareThreads, MAX_IDLE, Integer.MAX_VALUE);
    }

    /**
     * The same with more said.
     *
     * @param maxIdle after so long without a task a thread ends
     * @param maxQueueSize so many tasks wait while all threads are at work; more are rejected
     */
    public WorkerPool(String name, int maxThreads, int minSpareThreads, Duration maxIdle, int maxQueueSize) {
        this(
                name,
                maxThreads,
                minSpareThreads,
                maxIdle,
                maxQueueSize,
                new Timers(name + "-supervisor"),
                true,
                Thread::start);
    }

    /**
     * The same supervised by the caller's timers, which saves a thread.
     *
     * @param timers closed after the pool, and not by it
     */
    public WorkerPool(
            String name, int maxThreads, int minSpareThreads, Duration maxIdle, int maxQueueSize, Timers timers) {
        this(name, maxThreads, minSpareThreads, maxIdle, maxQueueSize, timers, false, Thread::start);
    }

    /** The same for tests, which let threads fail to start. */
    WorkerPool(
            String name,
            int maxThreads,
            int minSpareThreads,
            Duration maxIdle,
            int maxQueueSize,
            Timers timers,
            boolean own,
            Consumer<Thread> starter) {
        if (maxThreads < 1) {
            throw new IllegalArgumentException("maxThreads is " + maxThreads + "; it must be at least 1");
        }
        this.name = name;
        this.maxThreads = maxThreads;
        this.maxQueueSize = maxQueueSize;
        parallelism = Math.min(maxThreads, Runtime.getRuntime().availableProcessors());
        enough = parallelism;
        failures = new WorkerFailures(name);
        threads = new WorkerThreads(name, maxThreads, minSpareThreads, maxIdle, tasks, failures, starter);
        supervisor = new Supervisor(this, failures, timers);
        ownTimers = own ? timers : null;
    }

    /**
     * Queues a task. Never blocks.
     *
     * @throws RejectedExecutionException after {@link #close}, when all threads are at work and the queue is full, or when
     *     there is no thread and none can be started. Whatever is thrown, the task will not run
     */
    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException(name + " is closed");
        }
        if (isFull(tasks.load())) {
            throw full();
        }
        long before = add(task);
        if (isFull(before) && tasks.remove(task)) { // others came first
            throw full();
        }
        if (TaskQueue.awake(before) < enough) {
            threads.wake(1);
        }
        if (threads.alive() == 0 && tasks.remove(task)) {
            throw new RejectedExecutionException(name + " has no thread, and none can be started");
        }
        supervise();
    }

    private long add(Runnable task) {
        try {
            return tasks.add(task);
        } catch (OutOfMemoryError failure) {
            throw new RejectedExecutionException(name + " has no memory for another task", failure);
        }
    }

    /** The task is queued, and a worker will run it: nothing may be thrown any more. */
    private void supervise() {
        try {
            supervisor.watch();
            if (tasks.awake() >= enough) {
                supervisor.watchdog();
            }
        } catch (Throwable unsupervised) {
            threads.wake(1); // the next task brings the next attempt
        }
    }

    private boolean isFull(long load) {
        return TaskQueue.queued(load) >= maxQueueSize && TaskQueue.awake(load) >= maxThreads();
    }

    private RejectedExecutionException full() {
        return new RejectedExecutionException(
                name + " has " + maxThreads + " threads, all busy, and " + maxQueueSize + " queued tasks");
    }

    @Override
    public boolean isWorker() {
        return threads.isCurrent();
    }

    /**
     * False if a thread would be woken for the rest of the caller's work, and false while all threads are busy or the queue is
     * bounded: the work might wait for long there, or take the place of a request.
     */
    @Override
    public boolean areOthersWaiting() {
        long now = tasks.load();
        return TaskQueue.queued(now) > 0
                && TaskQueue.awake(now) >= enough
                && TaskQueue.awake(now) < maxThreads()
                && maxQueueSize == Integer.MAX_VALUE
                && isWorker();
    }

    @Override
    public void beginWait() {
        threads.beginWait();
    }

    @Override
    public void endWait() {
        threads.endWait();
    }

    /** Threads alive now. */
    public int threads() {
        return threads.alive();
    }

    /** Workers with a task now. */
    public int active() {
        return (int) Arrays.stream(threads.all()).filter(Worker::isInTask).count();
    }

    /** Tasks that no worker has taken. */
    public int queued() {
        return tasks.queued();
    }

    /** Takes no more tasks. Those queued still run; those running are not interrupted; threads end when idle. */
    @Override
    public void close() {
        closed = true;
        enough = maxThreads(); // queued tasks still run, perhaps without a supervisor
        threads.wake(tasks.queued());
        threads.close();
        if (ownTimers != null) {
            ownTimers.close();
        }
    }

    /** Threads that are idle end now, those at work when they are next idle; others are started as they are needed. */
    @Override
    public void renew() {
        threads.renew();
    }

    // ---- what the supervisor sees and does

    Worker[] workers() {
        return threads.all();
    }

    /** Of the workers awake those that can be on a processor. */
    int running() {
        return Math.min(tasks.awake(), parallelism);
    }

    /** How many threads there may be now. */
    int maxThreads() {
        return threads.max();
    }

    /**
     * From now on so many more than there are processors may be awake before a task is left to those.
     *
     * @param waiting tasks that were left to others already, and are not to be any longer
     */
    void wakeBeyondProcessors(int count, int waiting) {
        enough = parallelism + count;
        int awake = tasks.awake();
        threads.wake(awake == 0 && tasks.queued() > 0 ? 1 : Math.min(waiting, enough - awake));
    }
}
