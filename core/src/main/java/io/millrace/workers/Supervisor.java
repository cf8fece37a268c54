package io.millrace.workers;

import io.millrace.io.Timers;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sees to it that no task of a {@link WorkerPool} waits long behind others. Looks about every millisecond while tasks come
 * and go, as a timer; sleeps while none comes, however long those take that run.
 */
final class Supervisor implements Runnable {

    /** So many looks at one task, and it takes long: an I/O thread's turn, in which workers just wait, takes milliseconds. */
    static final int LONG_LOOKS = 10;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** A task that takes longer than this on average is worth a wake-up: that costs a hundredth of it. */
    private static final long LONG_TASK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    /** Looks after which half of the extra workers are no longer needed. */
    private static final int DECAY_LOOKS = 20;
    /** Looks at nothing new before it sleeps: waking it costs about as much. */
    private static final int PATIENCE = 2;
    /** After so long without a check a thread that queues a task checks itself: the timers' thread is held up by something else. */
    private static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** After so long without a task the burst is over that wanted extra workers. */
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final WorkerPool pool;
    private final WorkerFailures failures;
    private final Timers timers;
    private final AtomicBoolean awake = new AtomicBoolean();
    private final ReentrantLock looking = new ReentrantLock();
    private volatile long lastLook;

    // guarded by looking

    /** Workers that may be awake beyond one for each processor and one for each that is blocked or computes for long. */
    private int extra;

    private int blocked;

    /** Workers that have computed for one task for long, so that another takes their place beside the queue. */
    private int computing;

    /** Looks in a row at which tasks waited behind long ones, since that was last judged. */
    private int starved;

    private final WorkerActivity activity = new WorkerActivity();
    private int looksSinceGrowth;
    private int quiet;

    Supervisor(WorkerPool pool, WorkerFailures failures, Timers timers) {
        this.pool = pool;
        this.failures = failures;
        this.timers = timers;
    }

    /** Something was queued. Any thread. */
    void watch() {
        if (!awake.get() && awake.compareAndSet(false, true)) {
            orSleep(this::begin);
        }
    }

    private void begin() {
        looking.lock();
        try {
            quiet = 0;
            long now = System.nanoTime();
            extra = now - lastLook > BURST_NANOS ? 0 : extra;
            lastLook = now;
        } finally {
            looking.unlock();
        }
        schedule();
    }

    private void schedule() {
        timers.scheduleNanos(this, LOOK_NANOS);
    }

    /** If it fails, in whatever way, the next task wakes the supervisor. */
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

    /** Something was queued that may have to wait: does what the timers' thread should have done, if that is late. Any thread. */
    void watchdog() {
        if (isSilent() && looking.tryLock()) {
            try {
                if (isSilent()) {
                    look();
                }
            } finally {
                looking.unlock();
            }
        }
    }

    private boolean isSilent() {
        return awake.get() && System.nanoTime() - lastLook > SILENCE_NANOS;
    }

    /** One look, on the timers' thread. */
    @Override
    public void run() {
        boolean over = false;
        looking.lock();
        try {
            quiet = look() ? 0 : quiet + 1;
            over = quiet >= PATIENCE;
            if (over) {
                pool.wakeBeyondProcessors(blocked + computing, 0);
            }
        } catch (Throwable failure) {
            failures.supervisorFailed(failure);
        } finally {
            looking.unlock();
        }
        if (over) {
            sleep();
        } else {
            orSleep(this::schedule);
        }
    }

    /** Until the next task. */
    private void sleep() {
        awake.set(false);
        if (pool.queued() > 0) {
            watch();
        }
    }

    /** False if no task ended since the last look and none waits. */
    private boolean look() {
        int tasksEnded = lookAtWorkers();
        long now = System.nanoTime();
        long passed = now - lastLook;
        lastLook = now;
        int waiting = pool.queued();
        boolean behindLongOnes = waiting > 0 && passed * pool.running() > tasksEnded * LONG_TASK_NANOS;
        int wanted = wanted(behindLongOnes);
        if (wanted > extra) {
            extra = Math.min(pool.maxThreads(), wanted);
            looksSinceGrowth = 0;
        } else if (++looksSinceGrowth % DECAY_LOOKS == 0) {
            extra /= 2;
        }
        pool.wakeBeyondProcessors(extra + blocked + computing, behindLongOnes ? waiting : 0);
        return waiting > 0 || tasksEnded > 0;
    }

    /**
     * Where tasks block, others do soon: as many again as do now. Where they wait too shortly to be seen at it, for a
     * database perhaps, their use of processors tells after a while. Where they compute, more threads would not get more done.
     */
    private int wanted(boolean behindLongOnes) {
        starved = behindLongOnes ? starved + 1 : 0;
        if (behindLongOnes && blocked > 0) {
            return Math.max(extra, blocked);
        }
        if (starved == 1) {
            activity.begin(pool.workers());
        }
        if (starved <= LONG_LOOKS) {
            return extra;
        }
        starved = 0;
        return activity.isMostlyWaiting() ? extra + 1 + extra / 4 : extra;
    }

    /** How many tasks have ended. */
    private int lookAtWorkers() {
        int tasksEnded = 0;
        blocked = 0;
        computing = 0;
        for (Worker worker : pool.workers()) {
            tasksEnded += worker.look();
            if (worker.isBlocked()) {
                blocked++;
            } else if (worker.isComputingLong()) {
                computing++;
            }
        }
        return tasksEnded;
    }
}
