package io.millrace.workers;

import io.millrace.io.Timers;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Prevents tasks of a {@link WorkerPool} from waiting long behind others. Samples the workers about every millisecond on
 * a timer, from the moment a task may have to wait until none arrives or ends any more, however long running tasks take.
 */
final class Supervisor implements Runnable {

    /** The number of samples after which a task counts as long: longer than an I/O thread usually keeps workers waiting. */
    static final int LONG_SAMPLES = 10;

    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** If tasks take longer than this on average, waking a worker is worthwhile: that costs a hundredth of it. */
    private static final long LONG_TASK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    /** The number of samples after which the number of extra workers is halved. */
    private static final int DECAY_SAMPLES = 20;
    /** The number of samples without any change after which the supervisor sleeps: waking it costs about as much. */
    private static final int PATIENCE = 2;
    /** If the last sample is older than this, the thread that queues a task takes one itself: the timer thread is blocked. */
    private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** If no task arrived for this long, the burst that required extra workers is over. */
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final WorkerPool pool;
    private final WorkerFailures failures;
    private final Timers timers;
    private final AtomicBoolean awake = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long lastSample;

    // guarded by lock

    /**
     * The number of workers that may be awake in addition to one per processor and one for each that is blocked or
     * computes for long.
     */
    private int extra;

    private int blocked;

    /** The number of those that were blocked for the first time within their tasks. */
    private int justBlocked;

    /** The number of workers that have computed for one task for long, so that others replace them. */
    private int computing;

    /** The number of consecutive samples at which tasks waited behind long ones, since that was last evaluated. */
    private int starved;

    private final WorkerActivity activity = new WorkerActivity();
    private int samplesSinceGrowth;
    private int quiet;

    Supervisor(WorkerPool pool, WorkerFailures failures, Timers timers) {
        this.pool = pool;
        this.failures = failures;
        this.timers = timers;
    }

    /** Called when a task was queued that may have to wait, by any thread. */
    void watch() {
        if (!awake.get() && awake.compareAndSet(false, true)) {
            orSleep(this::begin);
        }
    }

    /** Whether a sample comes soon. */
    boolean isWatching() {
        return awake.get() && !isSilent();
    }

    private void begin() {
        lock.lock();
        try {
            quiet = 0;
            long now = System.nanoTime();
            extra = now - lastSample > BURST_NANOS ? 0 : extra;
            lastSample = now;
            for (Worker worker : pool.workers()) {
                worker.beginSampling();
            }
        } finally {
            lock.unlock();
        }
        schedule();
    }

    private void schedule() {
        timers.scheduleNanos(this, INTERVAL_NANOS);
    }

    /** If the step fails for any reason, the next task wakes the supervisor. */
    private void orSleep(Runnable step) {
        boolean done = false;
        try {
            step.run();
            done = true;
        } finally {
            if (!done) {
                awake.set(false);
            }
        }
    }

    /** Called when a task was queued while all workers are busy, by any thread: samples if the timer thread is late. */
    void watchdog() {
        if (isSilent() && lock.tryLock()) {
            try {
                if (isSilent()) {
                    sample();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Whether it samples, but has not done so for long: the timer thread is blocked. */
    boolean isSilent() {
        return awake.get() && System.nanoTime() - lastSample > SILENCE_NANOS;
    }

    /** Takes one sample, on the timer thread. */
    @Override
    public void run() {
        boolean over = false;
        lock.lock();
        try {
            quiet = sample() ? 0 : quiet + 1;
            over = quiet >= PATIENCE;
            if (over) {
                pool.wakeBeyondProcessors(blocked + computing, 0);
            }
        } catch (Throwable failure) {
            failures.supervisorFailed(failure);
        } finally {
            lock.unlock();
        }
        if (over) {
            sleep();
        } else {
            orSleep(this::schedule);
        }
    }

    /** Sleeps until the next task. */
    private void sleep() {
        awake.set(false);
        if (pool.queued() > 0 || pool.isAnyLoopVacant()) {
            watch();
        }
    }

    /** False if no task has ended since the last sample and none is waiting. */
    private boolean sample() {
        boolean busyLoops = pool.sampleLoops();
        int tasksEnded = sampleWorkers();
        long now = System.nanoTime();
        long passed = now - lastSample;
        lastSample = now;
        int waiting = pool.queued();
        boolean behindLongOnes = waiting > 0 && passed * pool.running() > tasksEnded * LONG_TASK_NANOS;
        int wanted = wanted(behindLongOnes);
        if (wanted > extra) {
            extra = Math.min(pool.maxThreads(), wanted);
            samplesSinceGrowth = 0;
        } else if (++samplesSinceGrowth % DECAY_SAMPLES == 0) {
            extra /= 2;
        }
        pool.wakeBeyondProcessors(extra + blocked + computing, behindLongOnes ? waiting : 0);
        return waiting > 0 || tasksEnded > 0 || busyLoops;
    }

    /**
     * If tasks have just blocked, further ones will soon block too: twice as many workers again. Those that have been blocked
     * for longer say nothing about the tasks that wait now: they may wait for slow clients. If tasks block too briefly to be
     * observed, in database calls for example, their processor usage shows it after a while. If they compute, more threads
     * would not help.
     */
    private int wanted(boolean behindLongOnes) {
        starved = behindLongOnes ? starved + 1 : 0;
        if (starved == 1) {
            activity.begin(pool.workers());
        }
        if (behindLongOnes && justBlocked > 0) {
            return Math.max(extra, 2 * justBlocked);
        }
        if (starved <= LONG_SAMPLES) {
            return extra;
        }
        starved = 0;
        return activity.isMostlyWaiting() ? extra + 1 + extra / 4 : extra;
    }

    /** The number of tasks that have ended. */
    private int sampleWorkers() {
        int tasksEnded = 0;
        blocked = 0;
        justBlocked = 0;
        computing = 0;
        for (Worker worker : pool.workers()) {
            tasksEnded += worker.sample();
            if (worker.isBlocked()) {
                blocked++;
                justBlocked += worker.hasJustBlocked() ? 1 : 0;
            } else if (worker.isComputingLong()) {
                computing++;
            }
        }
        return tasksEnded;
    }
}
