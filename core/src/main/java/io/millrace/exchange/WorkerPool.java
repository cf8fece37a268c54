package io.millrace.exchange;

import io.millrace.io.Timers;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads for what may block, made for tasks that mostly do not.
 *
 * <p>Waking a thread costs more than a short servlet. So a task wakes a worker only if the workers that are awake will not
 * get to it soon: one awake worker per processor empties the queue, task after task, and under load nobody is woken at
 * all. That would be wrong for tasks that take long, so a {@link Supervisor} looks at the workers about every millisecond
 * while tasks come. If tasks wait behind one that is blocked it wakes others, twice as many each time; if they wait behind
 * one that has computed for long, one in its place. From then on it lets that many be woken at once: for tasks that
 * take long the wake-up costs next to nothing. Workers that are blocked count as absent. So a task is delayed by those
 * before it for a moment, once; after that the pool behaves like any other.
 *
 * <p>Tasks start in the order they came. Idle workers wait last-in first-out, so few threads stay warm and the others
 * end after a minute, unless told otherwise.
 */
public final class WorkerPool implements Workers, AutoCloseable {

    /** After so long without a task a thread ends, if nothing else is said. */
    public static final Duration MAX_IDLE = Duration.ofMinutes(1);

    private static final long ONE_QUEUED = 1L << 32;
    private static final long ONE_AWAKE = 1L;

    private final String name;
    private final int maxThreads;
    private final int minSpareThreads;
    private final long maxIdleNanos;
    private final int maxQueueSize;
    private final int parallelism;
    private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final Supervisor supervisor;
    private final @Nullable Timers ownTimers;

    /** Upper half: tasks queued. Lower half: workers awake, including those being started or woken. */
    private final AtomicLong load = new AtomicLong();

    /** Workers that may be awake before a task is left to them. Written by the supervisor alone. */
    private volatile int enough;

    private volatile boolean closed;

    // guarded by lock
    private final Object lock = new Object();
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    private volatile Worker[] workers = {};

    /** Wake-ups that found nobody asleep yet: who goes to sleep next takes one instead. */
    private int wakeUps;

    private int threadNumber;

    /** Threads of an earlier one end when they are idle. */
    private int generation;

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
        this(name, maxThreads, minSpareThreads, maxIdle, maxQueueSize, new Timers(name + "-supervisor"), true);
    }

    /**
     * The same supervised by somebody else's timers, which saves a thread.
     *
     * @param timers closed after the pool, and not by it
     */
    public WorkerPool(
            String name, int maxThreads, int minSpareThreads, Duration maxIdle, int maxQueueSize, Timers timers) {
        this(name, maxThreads, minSpareThreads, maxIdle, maxQueueSize, timers, false);
    }

    private WorkerPool(
            String name,
            int maxThreads,
            int minSpareThreads,
            Duration maxIdle,
            int maxQueueSize,
            Timers timers,
            boolean own) {
        if (maxThreads < 1) {
            throw new IllegalArgumentException("maxThreads is " + maxThreads + "; it must be at least 1");
        }
        maxIdleNanos = maxIdle.toNanos();
        this.maxQueueSize = maxQueueSize;
        this.name = name;
        this.maxThreads = maxThreads;
        this.minSpareThreads = Math.min(minSpareThreads, maxThreads);
        parallelism = Math.min(maxThreads, Runtime.getRuntime().availableProcessors());
        enough = parallelism;
        supervisor = new Supervisor(this, timers);
        ownTimers = own ? timers : null;
    }

    /**
     * Queues a task. Never blocks.
     *
     * @throws RejectedExecutionException after {@link #close}, or when all threads are at work and the queue is full
     */
    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException(name + " is closed");
        }
        if (isFull(load.get())) {
            throw full();
        }
        queue.add(task);
        long now = load.addAndGet(ONE_QUEUED);
        if (isFull(now - ONE_QUEUED) && queue.remove(task)) { // others came first
            load.addAndGet(-ONE_QUEUED);
            throw full();
        }
        if (awake(now) < enough) {
            wake(1);
        }
        supervisor.watch();
    }

    @Override
    public boolean isWorker() {
        return Thread.currentThread() instanceof Worker worker && worker.belongsTo(this);
    }

    /**
     * Not if a thread would be woken for what is left to later, nor with all threads at work or a bounded queue, where it might
     * wait for long or take the room of a request.
     */
    @Override
    public boolean areOthersWaiting() {
        long now = load.get();
        return queued(now) > 0
                && awake(now) >= enough
                && awake(now) < maxThreads
                && maxQueueSize == Integer.MAX_VALUE
                && isWorker();
    }

    /** Threads alive now. */
    public int threads() {
        return workers.length;
    }

    /** Workers with a task now. */
    public int active() {
        return (int) Arrays.stream(workers).filter(Worker::isInTask).count();
    }

    /** Tasks that no worker has taken. */
    public int queued() {
        return queued(load.get());
    }

    /** Takes no more tasks. Those queued still run; those running are not interrupted; threads end when idle. */
    @Override
    public void close() {
        closed = true;
        enough = maxThreads; // what is queued still runs, and nobody may supervise it any more
        wake(queued());
        synchronized (lock) {
            wakeIdle();
        }
        if (ownTimers != null) {
            ownTimers.close();
        }
    }

    /** Threads that are idle end now, those at work when they are next idle; others are started as they are needed. */
    @Override
    public void renew() {
        synchronized (lock) {
            generation++;
            wakeIdle();
        }
    }

    /** Under the lock. They look whether they are to end. */
    private void wakeIdle() {
        for (Worker worker = idle.pollLast(); worker != null; worker = idle.pollLast()) {
            load.addAndGet(ONE_AWAKE);
            worker.wakeUp();
        }
    }

    private boolean isFull(long load) {
        return queued(load) >= maxQueueSize && awake(load) >= maxThreads;
    }

    private RejectedExecutionException full() {
        return new RejectedExecutionException(
                name + " has " + maxThreads + " threads, all at work, and " + maxQueueSize + " tasks waiting");
    }

    private static int queued(long load) {
        return (int) (load >>> 32);
    }

    private static int awake(long load) {
        return (int) load;
    }

    /** Wakes or starts so many workers, as far as there are any. */
    private void wake(int count) {
        for (int i = 0; i < count; i++) {
            synchronized (lock) {
                Worker worker = idle.pollLast();
                if (worker != null) {
                    load.addAndGet(ONE_AWAKE);
                    worker.wakeUp();
                } else if (awake(load.get()) < workers.length) {
                    load.addAndGet(ONE_AWAKE);
                    wakeUps++;
                } else if (workers.length < maxThreads) {
                    load.addAndGet(ONE_AWAKE);
                    start();
                } else {
                    return;
                }
            }
        }
    }

    /** Before Java 24 a thread would keep, by their protection domains, the classes of the application that needs it. */
    @SuppressWarnings("removal") // of no effect, and of no use, where it is removed
    private void start() {
        String number = name + "-" + ++threadNumber;
        int of = generation;
        Worker worker = AccessController.doPrivileged((PrivilegedAction<Worker>) () -> new Worker(this, number, of));
        Worker[] more = Arrays.copyOf(workers, workers.length + 1);
        more[workers.length] = worker;
        workers = more;
        worker.start();
    }

    // ---- what workers ask for

    @Nullable
    Runnable take() {
        Runnable task = queue.poll();
        if (task != null) {
            load.addAndGet(-ONE_QUEUED);
        }
        return task;
    }

    /** The worker found the queue empty. False if something came meanwhile; true if it may sleep. */
    boolean retire() {
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

    /** Waits to be woken; false if the thread is to end. */
    boolean sleep(Worker self) {
        synchronized (lock) {
            if (wakeUps > 0) {
                wakeUps--;
                return true;
            }
            if (closed || self.generation() != generation) {
                forget(self);
                return false;
            }
            self.fallAsleep();
            idle.addLast(self);
        }
        long deadline = System.nanoTime() + maxIdleNanos;
        while (self.isAsleep()) {
            long left = deadline - System.nanoTime();
            if (left <= 0 && end(self)) {
                return false;
            }
            LockSupport.parkNanos(this, left > 0 ? left : maxIdleNanos);
        }
        return true;
    }

    /** Ends a worker that was idle for long, unless it is one of the spare ones or was woken just now. */
    private boolean end(Worker self) {
        synchronized (lock) {
            if (!self.isAsleep() || workers.length <= minSpareThreads) {
                return false;
            }
            idle.remove(self);
            forget(self);
            return true;
        }
    }

    private void forget(Worker gone) {
        workers = Arrays.stream(workers).filter(worker -> !worker.equals(gone)).toArray(Worker[]::new);
    }

    // ---- what the supervisor sees and does

    Worker[] workers() {
        return workers;
    }

    int awake() {
        return awake(load.get());
    }

    /** Of the workers awake those that can be on a processor. */
    int running() {
        return Math.min(awake(), parallelism);
    }

    int maxThreads() {
        return maxThreads;
    }

    /**
     * From now on so many more than there are processors may be awake before a task is left to those.
     *
     * @param waiting tasks that were left to others already, and are not to be any longer
     */
    void wakeBeyondProcessors(int count, int waiting) {
        enough = parallelism + count;
        wake(Math.min(waiting, enough - awake()));
    }
}
