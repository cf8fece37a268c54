package io.millrace.exchange;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Sees to it that no task of a {@link WorkerPool} waits long behind others. Looks about every millisecond while tasks come
 * and go; sleeps while none comes, however long those take that run.
 */
final class Supervisor extends Thread {

    /** So many looks at one task, and it takes long: an I/O thread's turn, in which workers just wait, takes milliseconds. */
    static final int LONG_LOOKS = 10;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** A task that takes longer than this on average is worth a wake-up: that costs a hundredth of it. */
    private static final long LONG_TASK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    /** Looks after which half of the extra workers are no longer needed. */
    private static final int DECAY_LOOKS = 20;
    /** Looks at nothing new before it sleeps: waking it costs more than a few looks. */
    private static final int PATIENCE = 20;

    private final WorkerPool pool;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean asleep = true;
    private volatile boolean ended;
    /** Workers that may be awake beyond one for each processor and one for each that is blocked. */
    private int extra;

    private int blocked;
    /** Looks in a row at which tasks waited behind long ones, since that last had a consequence. */
    private int starved;

    private int looksSinceGrowth;
    private long lastLook;

    Supervisor(WorkerPool pool, String name) {
        super(null, null, name, 0, false);
        this.pool = pool;
        setDaemon(true);
        setContextClassLoader(WorkerPool.class.getClassLoader());
    }

    /** Something was queued. Any thread. */
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

    /** Ends it when the last worker sleeps. Any thread. */
    void close() {
        ended = true;
        LockSupport.unpark(this);
    }

    @Override
    public void run() {
        int quiet = 0;
        lastLook = System.nanoTime();
        while (!ended || pool.awake() > 0) {
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
        int tasksEnded = lookAtWorkers();
        long now = System.nanoTime();
        long passed = now - lastLook;
        lastLook = now;
        int waiting = pool.queued();
        boolean behindLongOnes = waiting > 0 && passed * pool.running() > tasksEnded * LONG_TASK_NANOS;
        starved = behindLongOnes ? starved + 1 : 0;
        int wanted = wanted(behindLongOnes);
        if (wanted > extra) {
            extra = Math.min(pool.maxThreads(), wanted);
            looksSinceGrowth = 0;
        } else if (++looksSinceGrowth % DECAY_LOOKS == 0) {
            extra /= 2;
        }
        pool.wakeBeyondProcessors(extra + blocked, behindLongOnes ? waiting : 0);
        return waiting > 0 || tasksEnded > 0;
    }

    /**
     * Where tasks block, others do soon: as many again as do now. Where they compute, another worker takes its time from
     * those that do: one after a while, so that short ones get past.
     */
    private int wanted(boolean behindLongOnes) {
        if (behindLongOnes && blocked > 0) {
            return Math.max(extra, blocked);
        }
        if (starved < LONG_LOOKS) {
            return extra;
        }
        starved = 0;
        return extra + 1;
    }

    /** How many tasks have ended. */
    private int lookAtWorkers() {
        int tasksEnded = 0;
        blocked = 0;
        for (Worker worker : pool.workers()) {
            tasksEnded += worker.look();
            if (worker.isBlocked()) {
                blocked++;
            }
        }
        return tasksEnded;
    }

    private void awaitWork() {
        extra = 0; // the burst that wanted them is over
        pool.wakeBeyondProcessors(blocked, 0);
        asleep = true;
        while (asleep && !ended && pool.queued() == 0) {
            LockSupport.park(pool);
        }
        asleep = false;
        lastLook = System.nanoTime();
    }
}
