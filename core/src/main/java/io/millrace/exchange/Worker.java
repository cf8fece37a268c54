package io.millrace.exchange;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;

/** One thread of a {@link WorkerPool}. */
final class Worker extends Thread {

    private static final Logger LOG = Logger.getLogger(WorkerPool.class);

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

    boolean belongsTo(WorkerPool asking) {
        return pool == asking;
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
     * In one task since the last look, and asleep in it. A thread that waits for a socket looks runnable, like one that
     * waits for a processor: it counts only after a while.
     */
    boolean isBlocked() {
        return looksInTask >= Supervisor.LONG_LOOKS || looksInTask > 0 && getState() != State.RUNNABLE;
    }

    // ---- sleeping: under the pool's lock, but for the question

    void fallAsleep() {
        asleep = true;
    }

    boolean isAsleep() {
        return asleep;
    }

    void wakeUp() {
        asleep = false;
        LockSupport.unpark(this);
    }
}
