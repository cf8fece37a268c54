package io.millrace.workers;

import io.millrace.io.LoopRole;
import io.millrace.io.Timers;
import io.millrace.text.Plural;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads for tasks that may block, optimized for tasks that mostly do not.
 *
 * <p>Waking a thread costs more than a short servlet. A task therefore wakes a worker only if the workers that are awake
 * would not run it soon: one awake worker per processor empties the queue, so that under load no thread has to be woken.
 * Because that would delay tasks behind long ones, a {@link Supervisor} samples the workers about every millisecond
 * while tasks arrive. If tasks wait behind a blocked worker, it wakes others, twice as many each time; if they wait
 * behind one that has computed for long, it wakes one in its place. Further tasks then wake up to that many workers
 * immediately. A burst of tasks behind long ones is thus delayed once, for a moment; see the package description for the
 * details.
 *
 * <p>Tasks start in the order in which they were submitted. Idle workers are woken last-in first-out, so that few
 * threads are in use, and the others end after a minute by default.
 */
public final class WorkerPool implements Workers, AutoCloseable {

    /** The default idle time after which a thread ends. */
    public static final Duration MAX_IDLE = Duration.ofMinutes(1);

    private final String name;
    private final int maxThreads;
    private final int maxQueueSize;
    private final int parallelism;
    private final TaskQueue tasks = new TaskQueue();
    private final WorkerFailures failures;
    private final WorkerThreads threads;
    private final Supervisor supervisor;
    private final InlineLoops inlineLoops;
    private final WorkerShares shares;
    private final @Nullable Timers ownTimers;

    /** The number of awake workers from which on a task wakes no other. Written by the supervisor, and by {@link #close}. */
    private volatile int enough;

    private volatile boolean closed;

    /**
     * A pool without threads, which are started when they are needed.
     *
     * @param name the prefix of the threads' names
     * @param maxThreads the maximum number of threads; further tasks are queued
     * @param minSpareThreads the number of threads that are kept once they have been started
     */
    public WorkerPool(String name, int maxThreads, int minSpareThreads) {
        this(name, maxThreads, minSpareThreads, MAX_IDLE, Integer.MAX_VALUE);
    }

    /**
     * A pool with all limits specified.
     *
     * @param maxIdle the idle time after which a thread ends
     * @param maxQueueSize the maximum number of queued tasks; further ones are rejected
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
     * A pool that uses the caller's timers, which saves a thread.
     *
     * @param timers must be closed by the caller, after the pool
     */
    public WorkerPool(
            String name, int maxThreads, int minSpareThreads, Duration maxIdle, int maxQueueSize, Timers timers) {
        this(name, maxThreads, minSpareThreads, maxIdle, maxQueueSize, timers, false, Thread::start);
    }

    /** For tests in which threads fail to start. */
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
            throw new IllegalArgumentException("maxThreads is " + maxThreads + "; expected at least 1");
        }
        this.name = name;
        this.maxThreads = maxThreads;
        this.maxQueueSize = maxQueueSize;
        parallelism = Math.min(maxThreads, Runtime.getRuntime().availableProcessors());
        enough = parallelism;
        failures = new WorkerFailures(name);
        threads = new WorkerThreads(name, maxThreads, minSpareThreads, maxIdle, tasks, failures, starter);
        supervisor = new Supervisor(this, failures, timers);
        inlineLoops = new InlineLoops(new InlineHost());
        shares = new WorkerShares(maxThreads);
        ownTimers = own ? timers : null;
    }

    /**
     * Queues a task. Never blocks.
     *
     * @throws RejectedExecutionException after {@link #close}, if all threads are busy and the queue is full, or if
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
        if (isFull(before) && tasks.remove(task)) { // other tasks were queued first
            throw full();
        }
        int awake = TaskQueue.awake(before);
        boolean woken = awake < enough && threads.wake(1);
        if (threads.alive() == 0 && tasks.remove(task)) {
            throw new RejectedExecutionException(name + " has no thread, and none can be started");
        }
        if (!woken || awake >= parallelism) {
            supervise();
        }
    }

    private long add(Runnable task) {
        try {
            return tasks.add(task);
        } catch (OutOfMemoryError failure) {
            throw new RejectedExecutionException(name + " has no memory for another task", failure);
        }
    }

    /**
     * Called when the task is queued and a worker will run it: must not throw. Not called for a task that woke a worker while
     * a processor was free: it waits behind no other, so that a nearly idle pool is not supervised.
     */
    private void supervise() {
        try {
            supervisor.watch();
            if (tasks.awake() >= enough) {
                supervisor.watchdog();
            }
        } catch (Throwable unsupervised) {
            threads.wake(1); // the next task tries again
        }
    }

    private boolean isFull(long load) {
        return TaskQueue.queued(load) >= maxQueueSize && TaskQueue.awake(load) >= maxThreads();
    }

    private RejectedExecutionException full() {
        return new RejectedExecutionException(name + " has " + Plural.of(maxThreads, "busy thread") + " and "
                + Plural.of(maxQueueSize, "queued task") + ", and accepts no more");
    }

    @Override
    public boolean isWorker() {
        return threads.isCurrent() || inlineLoops.isCurrent();
    }

    @Override
    public boolean beginInline(LoopRole role, long now) {
        return !closed && inlineLoops.begin(role, now);
    }

    @Override
    public Verdict endInline(LoopRole role) {
        return inlineLoops.end(role);
    }

    /**
     * False if a thread would have to be woken, if all threads are busy, or if the queue is bounded: the rest of the
     * caller's work might then wait for long, or displace a request.
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
        if (isWorker()) {
            threads.beginWait();
            inlineLoops.waits();
        }
    }

    @Override
    public void endWait() {
        if (isWorker()) {
            threads.endWait();
        }
    }

    @Override
    public WorkerShare share(int most, Runnable reached) {
        return shares.share(this, most, reached);
    }

    /** The prefix of the threads' names. */
    public String name() {
        return name;
    }

    /** The number of live threads. */
    public int threads() {
        return threads.alive();
    }

    /** The number of workers that are running a task. */
    public int active() {
        return (int) Arrays.stream(threads.all()).filter(Worker::isInTask).count();
    }

    /** The number of queued tasks. */
    public int queued() {
        return tasks.queued();
    }

    /** Rejects further tasks. Queued tasks still run, running ones are not interrupted, and threads end when they are idle. */
    @Override
    public void close() {
        closed = true;
        enough = maxThreads(); // queued tasks still run, possibly without a supervisor
        threads.wake(tasks.queued());
        threads.close();
        if (ownTimers != null) {
            ownTimers.close();
        }
    }

    /** Ends idle threads now, and busy ones when they become idle; new ones are started when they are needed. */
    @Override
    public void renew() {
        threads.renew();
        inlineLoops.renew();
    }

    @Override
    public int maxRunning() {
        return maxThreads;
    }

    // ---- called by the supervisor

    /** {@link InlineLoops#sample}. */
    boolean sampleLoops() {
        return inlineLoops.sample();
    }

    /** {@link InlineLoops#isAnyVacant}. */
    boolean isAnyLoopVacant() {
        return inlineLoops.isAnyVacant();
    }

    Worker[] workers() {
        return threads.all();
    }

    /** The number of awake workers that can run on a processor at the same time. */
    int running() {
        return Math.min(tasks.awake(), parallelism);
    }

    /** The current maximum number of threads. */
    int maxThreads() {
        return threads.max();
    }

    /**
     * Sets the number of workers, in addition to one per processor, from which on a task wakes no other.
     *
     * @param waiting the number of queued tasks for which workers are woken now
     */
    void wakeBeyondProcessors(int count, int waiting) {
        enough = parallelism + count;
        int awake = tasks.awake();
        threads.wake(awake == 0 && tasks.queued() > 0 ? 1 : Math.min(waiting, enough - awake));
    }

    /** What this pool does for the threads of event loops. */
    private final class InlineHost implements InlineLoops.Host {

        @Override
        public boolean reserve() {
            boolean reserved = threads.reserve();
            if (!reserved) {
                threads.addSpare(parallelism + inlineLoops.count() + 1);
            }
            return reserved;
        }

        @Override
        public void release() {
            threads.release();
        }

        @Override
        public void executeUrgent(Runnable task) {
            try {
                tasks.addUrgent(task);
            } catch (OutOfMemoryError shortage) {
                return;
            }
            threads.wakeReserved();
        }

        @Override
        public void poll(LoopRole.Loop loop) {
            ((Worker) Thread.currentThread()).poll(loop);
        }

        @Override
        public boolean isWatching() {
            return supervisor.isWatching();
        }

        @Override
        public boolean isStalled() {
            return supervisor.isSilent();
        }

        @Override
        public void watch() {
            supervisor.watch();
        }
    }
}
