package io.millrace.exchange;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Sees to it that no task of a {@link WorkerPool} waits long behind others. Looks about every millisecond while tasks come
 * and go; sleeps while none comes, however long those take that run.
 */
final class Supervisor extends Thread {

    /** So long a runnable worker may just wait for a processor: an I/O thread's turn takes milliseconds. */
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
        long spent = (now - lastLook) * pool.awake();
        lastLook = now;
        int waiting = pool.queued();
        starved = waiting > 0 && spent > tasksEnded * LONG_TASK_NANOS ? starved + 1 : 0;
        if (starved >= LONG_LOOKS || starved > 0 && blocked > 0) {
            extra = Math.min(pool.maxThreads(), Math.max(1, 2 * extra));
            looksSinceGrowth = 0;
            pool.wake(Math.min(waiting, extra));
        } else if (++looksSinceGrowth % DECAY_LOOKS == 0) {
            extra /= 2;
        }
        pool.wakeBeyondProcessors(extra + blocked);
        return waiting > 0 || tasksEnded > 0;
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
        pool.wakeBeyondProcessors(blocked);
        asleep = true;
        while (asleep && !ended && pool.queued() == 0) {
            LockSupport.park(pool);
        }
        asleep = false;
        lastLook = System.nanoTime();
    }
}
