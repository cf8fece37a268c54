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
 * The threads of a {@link WorkerPool}: starts, wakes, parks and ends them. Idle workers are woken last-in first-out, so
 * that few threads are in use, and the others end after their idle time. Thread-safe; one lock guards the state.
 */
final class WorkerThreads {

    /** The maximum number of threads that wait for their clients, per thread of the pool: limits what clients can cause. */
    private static final int MAX_WAITING = 4;

    /**
     * The pause after a failed start: each attempt is expensive if the system has no threads left, and the JVM prints a
     * message.
     */
    private static final long START_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final int maxThreads;
    private final int minSpareThreads;
    private final long maxIdleNanos;
    private final TaskQueue tasks;
    private final WorkerFailures failures;
    private final Consumer<Thread> starter;

    /** The number of workers that wait for their clients. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** The number of sleeping workers that are kept for event loops ({@link InlineLoops}). */
    private final AtomicInteger reserved = new AtomicInteger();

    /** A task could not wake a worker because that is reserved. */
    private volatile boolean denied;

    // guarded by lock
    private final Object lock = new Object();
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();

    /** The size of {@link #idle}. Written under the lock, before {@link #reserved} is read there. */
    private volatile int asleep;

    private volatile Worker[] workers = {};

    /** The number of threads that were started and have not ended. */
    private volatile int alive;

    /** No thread is started before this time if {@link #startFailed}. */
    private long startAgain;

    private boolean startFailed;

    /** Wake-ups that found no sleeping worker: the next worker about to sleep consumes one instead. */
    private int wakeUps;

    private int threadNumber;

    /** Threads of an earlier generation end when they become idle. */
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
     * The current maximum number of threads: those that wait for their clients are not counted, up to a limit; otherwise
     * clients that send bodies slowly could occupy all threads.
     */
    int max() {
        return maxThreads + Math.min(waiting.get(), MAX_WAITING * maxThreads);
    }

    int alive() {
        return alive;
    }

    /** A snapshot; must not be modified. */
    Worker[] all() {
        return workers;
    }

    boolean isCurrent() {
        return Thread.currentThread() instanceof Worker worker && worker.belongsTo(this) && !worker.isPolling();
    }

    void beginWait() {
        waiting.incrementAndGet();
    }

    void endWait() {
        waiting.decrementAndGet();
    }

    /** Keeps a sleeping worker free until {@link #release}. False if there is none, or tasks wait for it. */
    boolean reserve() {
        if (denied) {
            if (reserved.get() > 0) {
                return false;
            }
            allow(); // the last reservation ended when the task was just being denied a worker
        }
        if (asleep == 0) {
            return false;
        }
        if (asleep >= reserved.incrementAndGet()) {
            return true;
        }
        release();
        return false;
    }

    /**
     * Starts a worker if all are awake, so that one can be reserved soon: as many as there are processors may empty the queue for as long as
     * it is filled, because nobody sleeps. Throws nothing.
     *
     * @param most no more are started if there are so many
     */
    void addSpare(int most) {
        if (asleep > 0 || alive >= Math.min(most, maxThreads)) {
            return;
        }
        try {
            synchronized (lock) {
                if (!closed && idle.isEmpty() && alive < Math.min(most, maxThreads) && mayStart()) {
                    start();
                }
            }
        } catch (Throwable failure) {
            failures.notStarted(failure, alive);
        }
    }

    /** Undoes {@link #reserve}. Throws nothing. */
    void release() {
        reserved.decrementAndGet();
        if (denied) {
            allow();
        }
    }

    private void allow() {
        denied = false;
        if (tasks.queued() > 0) {
            wake(1);
        }
    }

    /** Wakes a worker for an urgent task, even one that is reserved: that is what it is for. Throws nothing. */
    void wakeReserved() {
        try {
            wakeOne(true);
        } catch (Throwable failure) {
            failures.notStarted(failure, alive);
        }
    }

    /** Wakes or starts this many workers, as far as possible; false if there were fewer. Throws nothing. */
    boolean wake(int count) {
        boolean more = true;
        for (int i = 0; i < count && more; i++) {
            try {
                more = wakeOne(false);
            } catch (Throwable failure) {
                failures.notStarted(failure, alive);
                more = false;
            }
        }
        return more;
    }

    private boolean wakeOne(boolean urgent) {
        synchronized (lock) {
            Worker worker = isOneFree(urgent) ? idle.pollLast() : null;
            boolean refused = worker == null && !idle.isEmpty();
            if (!urgent && denied != refused) { // an urgent task is refused nothing, and changes nothing for the others
                denied = refused;
            }
            if (worker != null) {
                tasks.countAwake();
                worker.wakeUp();
            } else if (tasks.awake() + idle.size() < alive) {
                tasks.countAwake();
                wakeUps++;
            } else {
                return alive < max() && mayStart() && start();
            }
            return true;
        }
    }

    /** Called under the lock: whether a sleeping worker is not reserved. The caller then takes it. */
    private boolean isOneFree(boolean evenReserved) {
        if (idle.isEmpty()) {
            return false;
        }
        asleep = idle.size() - 1; // first: a reservation that comes now sees it, or is seen
        boolean free = evenReserved || asleep >= reserved.get();
        if (!free) {
            asleep = idle.size();
        }
        return free;
    }

    private boolean mayStart() {
        return !startFailed || System.nanoTime() - startAgain >= 0;
    }

    /**
     * Before Java 24, a thread would keep the classes of the application that caused its start reachable, through their
     * protection domains.
     */
    @SuppressWarnings({
        "removal", // AccessController: needed only before Java 24
        "NonAtomicVolatileUpdate"
    }) // called under the lock
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

    /** Ends idle threads now, and busy ones when they become idle. */
    void renew() {
        synchronized (lock) {
            generation++;
            wakeIdle();
        }
    }

    /** Ends all threads when they are idle. */
    void close() {
        synchronized (lock) {
            closed = true;
            wakeIdle();
        }
    }

    /** Called under the lock. Each thread checks whether it is to end. */
    private void wakeIdle() {
        for (Worker worker = idle.pollLast(); worker != null; worker = idle.pollLast()) {
            tasks.countAwake();
            worker.wakeUp();
        }
        asleep = 0;
    }

    // ---- called by workers

    /** Parks the current worker, which no longer counts as awake; false if its thread is to end. */
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
            asleep = idle.size();
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

    /** Ends a worker after its idle time, unless it is a spare one or has just been woken. */
    private boolean end(Worker self) {
        synchronized (lock) {
            if (!self.isAsleep() || alive <= minSpareThreads || !isOneFree(false)) {
                return false;
            }
            idle.remove(self);
            forget(self);
            return true;
        }
    }

    /** Called when a thread ends, for whatever reason; starts another one if it should not have ended. */
    void ended(Worker gone) {
        synchronized (lock) {
            idle.remove(gone);
            asleep = idle.size();
            if (gone.isCounted()) {
                gone.setCounted(false);
                tasks.uncountAwake();
            }
            forget(gone);
            if (tasks.awake() + idle.size() > alive) { // this thread would have consumed a pending wake-up
                wakeUps--;
                tasks.uncountAwake();
            }
        }
        if (tasks.queued() > 0) {
            wake(1);
        }
    }

    /**
     * Called under the lock. Updates the count first: the rest may fail for lack of memory, and is then done by the next
     * change.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // called under the lock
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
