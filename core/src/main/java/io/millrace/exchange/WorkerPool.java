package io.millrace.exchange;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Threads for what may block, made for tasks that mostly do not.
 *
 * <p>Waking a thread costs more than a short servlet. So a task wakes a worker only if the workers that are awake will not
 * get to it soon: one awake worker per processor empties the queue, task after task, and under load nobody is woken at
 * all. That would be wrong for tasks that take long, so a {@link Supervisor} looks at the workers about every millisecond
 * while tasks come. If tasks wait behind one that is blocked, or for ten milliseconds behind ones that take long, it
 * wakes others, twice as many at each look, and lets that many more be woken at once from then on; for tasks that take
 * long the wake-up costs next to nothing. Workers that are blocked count as absent. So a task is delayed by those before
 * it for a moment, once; after that the pool behaves like any other.
 *
 * <p>Tasks start in the order they came. Idle workers wait last-in first-out, so few threads stay warm and the others
 * end after a minute, unless told otherwise.
 */
public final class WorkerPool implements Workers, AutoCloseable {

    private static final Logger LOG = Logger.getLogger(WorkerPool.class);
    private static final Duration MAX_IDLE = Duration.ofMinutes(1);
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
        supervisor = new Supervisor(this, name + "-supervisor");
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
            throw new RejectedExecutionException(
                    name + " has " + maxThreads + " threads, all at work, and " + maxQueueSize + " tasks waiting");
        }
        queue.add(task);
        long now = load.addAndGet(ONE_QUEUED);
        if (awake(now) < enough) {
            wake(1);
        }
        supervisor.watch();
    }

    @Override
    public boolean isWorker() {
        return Thread.currentThread() instanceof Worker worker && worker.pool == this;
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
        supervisor.close();
        synchronized (lock) {
            for (Worker worker = idle.pollLast(); worker != null; worker = idle.pollLast()) {
                load.addAndGet(ONE_AWAKE);
                worker.wakeUp();
            }
        }
    }

    private boolean isFull(long load) {
        return queued(load) >= maxQueueSize && awake(load) >= maxThreads;
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

    private void start() {
        Worker worker = new Worker(this, name + "-" + ++threadNumber);
        Worker[] more = Arrays.copyOf(workers, workers.length + 1);
        more[workers.length] = worker;
        workers = more;
        worker.start();
    }

    private @Nullable Runnable take() {
        Runnable task = queue.poll();
        if (task != null) {
            load.addAndGet(-ONE_QUEUED);
        }
        return task;
    }

    /** The worker found the queue empty. False if something came meanwhile; true if it may sleep. */
    private boolean retire() {
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
    private boolean sleep(Worker self) {
        synchronized (lock) {
            if (wakeUps > 0) {
                wakeUps--;
                return true;
            }
            if (closed) {
                forget(self);
                return false;
            }
            self.asleep = true;
            idle.addLast(self);
        }
        long deadline = System.nanoTime() + maxIdleNanos;
        while (self.asleep) {
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
            if (!self.asleep || workers.length <= minSpareThreads) {
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

    private boolean isAnyAwake() {
        return awake(load.get()) > 0;
    }

    /** One thread of the pool. */
    private static final class Worker extends Thread {
        private final WorkerPool pool;
        private volatile boolean asleep;
        /** Odd while in a task. Written by this thread without a fence; the supervisor tolerates a stale value. */
        private final AtomicInteger steps = new AtomicInteger();
        /** The supervisor's own: {@link #steps} at its last look, and how many looks ago that changed. */
        private int seen;

        private int looksInTask;

        Worker(WorkerPool pool, String name) {
            super(null, null, name, 0, false);
            this.pool = pool;
            setDaemon(true);
            setContextClassLoader(WorkerPool.class.getClassLoader());
        }

        @Override
        public void run() {
            do {
                work();
            } while (pool.sleep(this));
        }

        /** Until there is no task even after the threads that bring them had their turn: to sleep and be woken costs more. */
        @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it
        private void work() {
            do {
                do {
                    performAll();
                    Thread.yield();
                } while (performAll());
            } while (!pool.retire());
        }

        private boolean performAll() {
            boolean any = false;
            for (Runnable task = pool.take(); task != null; task = pool.take()) {
                perform(task);
                any = true;
            }
            return any;
        }

        private void perform(Runnable task) {
            step();
            try {
                task.run();
            } catch (Throwable failure) {
                LOG.error("A task threw", failure);
            } finally {
                step();
            }
        }

        private void step() {
            steps.setRelease(steps.getPlain() + 1);
        }

        boolean isInTask() {
            return (steps.get() & 1) != 0;
        }

        /** Tasks ended since this was last asked. For the supervisor alone. */
        int look() {
            int now = steps.get();
            int ended = (now >>> 1) - (seen >>> 1);
            looksInTask = now == seen && (now & 1) != 0 ? looksInTask + 1 : 0;
            seen = now;
            return ended;
        }

        /**
         * In one task since the last look, and asleep in it. A thread that waits for a socket looks runnable, like one
         * that waits for a processor: it counts only after a while.
         */
        boolean isBlocked() {
            return looksInTask >= Supervisor.LONG_LOOKS || looksInTask > 0 && getState() != State.RUNNABLE;
        }

        void wakeUp() {
            asleep = false;
            LockSupport.unpark(this);
        }
    }

    /** Looks about every millisecond while tasks come and go; sleeps while none comes, however long those take that run. */
    private static final class Supervisor extends Thread {
        private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
        /** A task that takes longer than this on average is worth a wake-up: that costs a hundredth of it. */
        private static final long LONG_TASK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
        /** So long a runnable worker may just wait for a processor: an I/O thread's turn takes milliseconds. */
        private static final int LONG_LOOKS = 10;
        /** Looks after which half of the extra workers are no longer needed. */
        private static final int DECAY_LOOKS = 20;
        /** Looks at nothing new before it sleeps: waking it costs more than a few looks. */
        private static final int PATIENCE = 20;

        private final WorkerPool pool;
        private final AtomicBoolean started = new AtomicBoolean();
        private volatile boolean asleep = true;
        private volatile boolean ended;
        private int extra;
        /** Looks in a row at which tasks waited behind long ones. */
        private int starved;

        private int looksSinceGrowth;
        private long lastLook;

        Supervisor(WorkerPool pool, String name) {
            super(null, null, name, 0, false);
            this.pool = pool;
            setDaemon(true);
            setContextClassLoader(WorkerPool.class.getClassLoader());
        }

        /** Something was queued. */
        void watch() {
            if (asleep) {
                asleep = false;
                if (started.compareAndSet(false, true)) {
                    start();
                } else {
                    LockSupport.unpark(this);
                }
            }
        }

        void close() {
            ended = true;
            LockSupport.unpark(this);
        }

        @Override
        public void run() {
            int quiet = 0;
            lastLook = System.nanoTime();
            while (!ended || pool.isAnyAwake()) {
                quiet = look() ? 0 : quiet + 1;
                if (quiet < PATIENCE) {
                    LockSupport.parkNanos(pool, LOOK_NANOS);
                } else {
                    quiet = 0;
                    awaitWork();
                }
            }
        }

        /** False if no task ended since the last look and none waits. */
        private boolean look() {
            long now = System.nanoTime();
            int tasksEnded = 0;
            int blocked = 0;
            for (Worker worker : pool.workers) {
                tasksEnded += worker.look();
                if (worker.isBlocked()) {
                    blocked++;
                }
            }
            long spent = (now - lastLook) * awake(pool.load.get());
            lastLook = now;
            int waiting = pool.queued();
            starved = waiting > 0 && spent > tasksEnded * LONG_TASK_NANOS ? starved + 1 : 0;
            if (starved >= LONG_LOOKS || starved > 0 && blocked > 0) {
                extra = Math.min(pool.maxThreads, Math.max(1, 2 * extra));
                looksSinceGrowth = 0;
                pool.wake(Math.min(waiting, extra));
            } else if (++looksSinceGrowth % DECAY_LOOKS == 0) {
                extra /= 2;
            }
            pool.enough = pool.parallelism + extra + blocked;
            return waiting > 0 || tasksEnded > 0;
        }

        private void awaitWork() {
            int without = pool.enough - extra; // the burst that wanted them is over
            pool.enough = without;
            extra = 0;
            asleep = true;
            while (asleep && !ended && pool.queued() == 0) {
                LockSupport.park(pool);
            }
            asleep = false;
            lastLook = System.nanoTime();
        }
    }
}
