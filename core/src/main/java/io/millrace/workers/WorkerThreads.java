package io.millrace.workers;

import io.millrace.io.Delays;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The threads of a {@link WorkerPool}: starts, wakes, parks and ends them. Idle workers are woken last-in first-out, so few
 * threads stay warm, and the others end after their idle time. Any thread; one lock guards the state.
 */
final class WorkerThreads {

    /** For each thread there may be this many more that wait for their clients: a limit on what clients can cause. */
    private static final int MOST_WAITING = 4;

    /** Where the system lets no thread start, each attempt is expensive, and the JVM prints a line about it. */
    private static final long START_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final int maxThreads;
    private final int minSpareThreads;
    private final long maxIdleNanos;
    private final TaskQueue tasks;
    private final WorkerFailures failures;
    private final Consumer<Thread> starter;

    /** Workers that wait for their clients. */
    private final AtomicInteger waiting = new AtomicInteger();

    // guarded by lock
    private final Object lock = new Object();
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    private volatile Worker[] workers = {};

    /** Threads that were started and have not ended. */
    private volatile int alive;

    /** No thread is started before this moment if {@link #startFailed}. */
    private long startAgain;

    private boolean startFailed;

    /** Wake-ups that found no worker asleep yet: the next one that would go to sleep takes one instead. */
    private int wakeUps;

    private int threadNumber;

    /** Threads of an earlier one end when they are idle. */
    private int generation;

    private boolean closed;

    WorkerThreads(
            String name,
            int maxThreads,
            int minSpareThreads,
            Duration maxIdle,
            TaskQueue tasks,
            WorkerFailures failures,
            Consumer<Thread> starter) {
        this.name = name;
        this.maxThreads = maxThreads;
        this.minSpareThreads = Math.min(minSpareThreads, maxThreads);
        maxIdleNanos = Delays.nanos(maxIdle);
        this.tasks = tasks;
        this.failures = failures;
        this.starter = starter;
    }

    /**
     * How many threads there may be now: those that wait for their clients are not counted, up to a limit, or enough clients
     * that send a body slowly would keep all others out.
     */
    int max() {
        return maxThreads + Math.min(waiting.get(), MOST_WAITING * maxThreads);
    }

    int alive() {
        return alive;
    }

    /** A snapshot; not to be changed. */
    Worker[] all() {
        return workers;
    }

    boolean isCurrent() {
        return Thread.currentThread() instanceof Worker worker && worker.belongsTo(this);
    }

    void beginWait() {
        if (isCurrent()) {
            waiting.incrementAndGet();
        }
    }

    void endWait() {
        if (isCurrent()) {
            waiting.decrementAndGet();
        }
    }

    /** Wakes or starts this many workers, as far as there are any and the system lets threads start. Throws nothing. */
    void wake(int count) {
        boolean more = true;
        for (int i = 0; i < count && more; i++) {
            try {
                more = wakeOne();
            } catch (Throwable failure) {
                failures.notStarted(failure, alive);
                more = false;
            }
        }
    }

    private boolean wakeOne() {
        synchronized (lock) {
            Worker worker = idle.pollLast();
            if (worker != null) {
                tasks.countAwake();
                worker.wakeUp();
            } else if (tasks.awake() < alive) {
                tasks.countAwake();
                wakeUps++;
            } else {
                return alive < max() && mayStart() && start();
            }
            return true;
        }
    }

    private boolean mayStart() {
        return !startFailed || System.nanoTime() - startAgain >= 0;
    }

    /** Before Java 24 a thread would keep, by their protection domains, the classes of the application that needs it. */
    @SuppressWarnings({
        "removal", // of no effect, and of no use, where it is removed
        "NonAtomicVolatileUpdate"
    }) // under the lock
    private boolean start() {
        startFailed = true;
        startAgain = System.nanoTime() + START_AGAIN_NANOS;
        String number = name + "-" + ++threadNumber;
        int of = generation;
        Worker worker =
                AccessController.doPrivileged((PrivilegedAction<Worker>) () -> new Worker(this, tasks, number, of));
        Worker[] before = workers;
        Worker[] more = Arrays.copyOf(before, before.length + 1);
        more[before.length] = worker;
        workers = more;
        alive++;
        tasks.countAwake();
        try {
            starter.accept(worker);
            startFailed = false;
        } finally {
            if (startFailed) {
                tasks.uncountAwake();
                forget(worker);
            }
        }
        return true;
    }

    /** Threads that are idle end now, those at work when they are next idle. */
    void renew() {
        synchronized (lock) {
            generation++;
            wakeIdle();
        }
    }

    /** From now on a thread without a task ends. */
    void close() {
        synchronized (lock) {
            closed = true;
            wakeIdle();
        }
    }

    /** Under the lock. Each checks whether it is to end. */
    private void wakeIdle() {
        for (Worker worker = idle.pollLast(); worker != null; worker = idle.pollLast()) {
            tasks.countAwake();
            worker.wakeUp();
        }
    }

    // ---- called by workers

    /** Parks the current worker, which is no longer counted as awake; false if its thread is to end. */
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
            Thread.interrupted(); // or it would not park again
        }
        return true;
    }

    /** Ends a worker after its idle time, unless it is one of the spare ones or was woken just now. */
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
                tasks.uncountAwake();
            }
            forget(gone);
            if (tasks.awake() + idle.size() > alive) { // the wake-up was for this one
                wakeUps--;
                tasks.uncountAwake();
            }
        }
        if (tasks.queued() > 0) {
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
}
