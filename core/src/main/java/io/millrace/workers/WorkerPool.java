package io.millrace.workers;

import io.millrace.io.Delays;
import io.millrace.io.LogThrottle;
import io.millrace.io.Timers;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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

    /** For each thread there may be so many more that wait for their clients: a bound for what strangers can bring about. */
    private static final int MOST_WAITING = 4;

    private static final long ONE_QUEUED = 1L << 32;
    private static final long ONE_AWAKE = 1L;

    /** Where the system lets no thread start, each try costs, and the JVM writes a line about it. */
    private static final long START_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final int maxThreads;
    private final int minSpareThreads;
    private final long maxIdleNanos;
    private final int maxQueueSize;
    private final int parallelism;
    private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final Supervisor supervisor;
    private final @Nullable Timers ownTimers;
    private final Consumer<Thread> starter;
    private final LogThrottle<Kind> pace = new LogThrottle<>(Kind.class);

    /** Upper half: tasks queued. Lower half: workers awake, including those being started or woken. */
    private final AtomicLong load = new AtomicLong();

    /** Workers that may be awake before a task is left to them. Written by the supervisor alone. */
    private volatile int enough;

    /** Workers that wait for their clients. */
    private final AtomicInteger waiting = new AtomicInteger();

    private volatile boolean closed;

    // guarded by lock
    private final Object lock = new Object();
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    private volatile Worker[] workers = {};

    /** Threads that were started and have not ended. */
    private volatile int alive;

    /** No thread is started before this moment if {@link #startsFail}. */
    private long startAgain;

    private boolean startsFail;

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
     * The same supervised by somebody else's timers, which saves a thread.
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
        maxIdleNanos = Delays.nanos(maxIdle);
        this.maxQueueSize = maxQueueSize;
        this.name = name;
        this.maxThreads = maxThreads;
        this.minSpareThreads = Math.min(minSpareThreads, maxThreads);
        parallelism = Math.min(maxThreads, Runtime.getRuntime().availableProcessors());
        enough = parallelism;
        supervisor = new Supervisor(this, timers);
        this.starter = starter;
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
        if (isFull(load.get())) {
            throw full();
        }
        enqueue(task);
        long now = load.addAndGet(ONE_QUEUED);
        if (isFull(now - ONE_QUEUED) && queue.remove(task)) { // others came first
            load.addAndGet(-ONE_QUEUED);
            throw full();
        }
        if (awake(now) < enough) {
            wake(1);
        }
        if (alive == 0 && queue.remove(task)) {
            load.addAndGet(-ONE_QUEUED);
            throw new RejectedExecutionException(name + " has no thread, and none can be started");
        }
        supervise();
    }

    private void enqueue(Runnable task) {
        try {
            queue.add(task);
        } catch (OutOfMemoryError failure) {
            throw new RejectedExecutionException(name + " has no memory for another task", failure);
        }
    }

    /** The task is queued, and a worker will come to it: nothing may be thrown any more. */
    private void supervise() {
        try {
            supervisor.watch();
            if (awake() >= enough) {
                supervisor.watchdog();
            }
        } catch (Throwable unsupervised) {
            wake(1); // the next task brings the next try
        }
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
                && awake(now) < maxThreads()
                && maxQueueSize == Integer.MAX_VALUE
                && isWorker();
    }

    @Override
    public void beginWait() {
        if (isWorker()) {
            waiting.incrementAndGet();
        }
    }

    @Override
    public void endWait() {
        if (isWorker()) {
            waiting.decrementAndGet();
        }
    }

    /** Threads alive now. */
    public int threads() {
        return alive;
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
        enough = maxThreads(); // what is queued still runs, and nobody may supervise it any more
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
        return queued(load) >= maxQueueSize && awake(load) >= maxThreads();
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

    /** Wakes or starts so many workers, as far as there are any and the system lets threads start. Throws nothing. */
    private void wake(int count) {
        Throwable failure = null;
        boolean more = true;
        for (int i = 0; i < count && more; i++) {
            try {
                more = wakeOne();
            } catch (Throwable thrown) {
                failure = thrown;
                more = false;
            }
        }
        if (failure != null) {
            report(failure);
        }
    }

    private boolean wakeOne() {
        synchronized (lock) {
            Worker worker = idle.pollLast();
            if (worker != null) {
                load.addAndGet(ONE_AWAKE);
                worker.wakeUp();
            } else if (awake(load.get()) < alive) {
                load.addAndGet(ONE_AWAKE);
                wakeUps++;
            } else {
                return alive < maxThreads() && mayStart() && start();
            }
            return true;
        }
    }

    private boolean mayStart() {
        return !startsFail || System.nanoTime() - startAgain >= 0;
    }

    /** Before Java 24 a thread would keep, by their protection domains, the classes of the application that needs it. */
    @SuppressWarnings({
        "removal", // of no effect, and of no use, where it is removed
        "NonAtomicVolatileUpdate"
    }) // under the lock
    private boolean start() {
        startsFail = true;
        startAgain = System.nanoTime() + START_AGAIN_NANOS;
        String number = name + "-" + ++threadNumber;
        int of = generation;
        Worker worker = AccessController.doPrivileged((PrivilegedAction<Worker>) () -> new Worker(this, number, of));
        Worker[] before = workers;
        Worker[] more = Arrays.copyOf(before, before.length + 1);
        more[before.length] = worker;
        workers = more;
        alive++;
        load.addAndGet(ONE_AWAKE);
        try {
            starter.accept(worker);
            startsFail = false;
        } finally {
            if (startsFail) {
                load.addAndGet(-ONE_AWAKE);
                forget(worker);
            }
        }
        return true;
    }

    private void report(Throwable failure) {
        try {
            if (pace.isDue(Kind.START)) {
                WorkersLog.LOG.workerNotStarted(name, failure.toString(), alive);
            }
        } catch (Throwable again) {
            // out of memory, most likely
        }
    }

    /** By the supervisor, which goes on. */
    void reportSupervisor(Throwable failure) {
        try {
            if (pace.isDue(Kind.SUPERVISOR)) {
                WorkersLog.LOG.supervisorFailed(name, failure);
            }
        } catch (Throwable again) {
            // out of memory, most likely
        }
    }

    private enum Kind {
        START,
        SUPERVISOR
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
    boolean retire(Worker self) {
        while (true) {
            long now = load.get();
            if (queued(now) > 0) {
                return false;
            }
            if (load.compareAndSet(now, now - ONE_AWAKE)) {
                self.setCounted(false);
                return true;
            }
        }
    }

    /** Waits to be woken; false if the thread is to end. */
    boolean sleep(Worker self) {
        synchronized (lock) {
            if (wakeUps > 0) {
                wakeUps--;
                self.setCounted(true);
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
            Thread.interrupted(); // or it would not sleep any more
        }
        return true;
    }

    /** Ends a worker that was idle for long, unless it is one of the spare ones or was woken just now. */
    private boolean end(Worker self) {
        synchronized (lock) {
            if (!self.isAsleep() || alive <= minSpareThreads) {
                return false;
            }
            idle.remove(self);
            forget(self);
            return true;
        }
    }

    /** The thread ends, in whatever way; another takes its place if it should not have. */
    void ended(Worker gone) {
        synchronized (lock) {
            idle.remove(gone);
            if (gone.isCounted()) {
                gone.setCounted(false);
                load.addAndGet(-ONE_AWAKE);
            }
            forget(gone);
            if (awake(load.get()) + idle.size() > alive) { // the wake-up was for this one
                wakeUps--;
                load.addAndGet(-ONE_AWAKE);
            }
        }
        if (queued(load.get()) > 0) {
            wake(1);
        }
    }

    /** Under the lock. Counted first: there may be no memory for the rest, which the next change makes up for. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void forget(Worker gone) {
        if (!gone.isForgotten()) {
            gone.setForgotten();
            alive--;
            workers = Arrays.stream(workers)
                    .filter(worker -> !worker.isForgotten())
                    .toArray(Worker[]::new);
        }
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

    /**
     * How many threads there may be now: those that wait for their clients are not counted, up to a bound, or so many clients
     * that send a body slowly would keep all others out. They hold what they hold, but nobody's turn.
     */
    int maxThreads() {
        return maxThreads + Math.min(waiting.get(), MOST_WAITING * maxThreads);
    }

    /**
     * From now on so many more than there are processors may be awake before a task is left to those.
     *
     * @param waiting tasks that were left to others already, and are not to be any longer
     */
    void wakeBeyondProcessors(int count, int waiting) {
        enough = parallelism + count;
        wake(awake() == 0 && queued() > 0 ? 1 : Math.min(waiting, enough - awake()));
    }
}
