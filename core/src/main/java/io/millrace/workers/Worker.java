package io.millrace.workers;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One thread of a {@link WorkerPool}. */
final class Worker extends Thread {

    private static final Logger LOG = Logger.getLogger(WorkerPool.class);
    private static final @Nullable ClassLoader LOADER = WorkerPool.class.getClassLoader();

    /** Looks. Another worker takes processor time from this one, so it must be worth it. */
    private static final int COMPUTES_LONG = 2 * Supervisor.LONG_LOOKS;

    private final WorkerThreads threads;
    private final TaskQueue tasks;
    private final int generation;
    private volatile boolean asleep;

    /** Counted as awake. Under the lock of {@link WorkerThreads}, but for this thread when it retires. */
    private boolean counted = true;

    /** Under the lock of {@link WorkerThreads}. */
    private boolean forgotten;

    private volatile @Nullable ProcessorTime processorTime;
    /** Odd while in a task. Written by this thread without a fence; the supervisor tolerates a stale value. */
    private final AtomicInteger steps = new AtomicInteger();
    /** The supervisor's own: {@link #steps} at its last look, and how many looks ago that changed. */
    private int seen;

    private int looksInTask;
    private boolean blocked;
    private @Nullable StackTraceElement nativeMethod;

    Worker(WorkerThreads threads, TaskQueue tasks, String name, int generation) {
        super(null, null, name, 0, false);
        this.threads = threads;
        this.tasks = tasks;
        this.generation = generation;
        setDaemon(true);
        setContextClassLoader(LOADER);
    }

    @Override
    public void run() {
        try {
            processorTime = ProcessorTime.ofCurrentThread();
            do {
                work();
            } while (threads.sleep(this));
        } finally {
            threads.ended(this);
        }
    }

    /** Until there is no task even after the threads that bring them had their turn: to sleep and be woken costs more. */
    @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it
    private void work() {
        do {
            do {
                performAll();
                Thread.yield();
            } while (performAll());
        } while (!retire());
    }

    /** True if it may sleep: no task was queued meanwhile. */
    private boolean retire() {
        boolean retired = tasks.uncountIfEmpty();
        if (retired) {
            counted = false;
        }
        return retired;
    }

    private boolean performAll() {
        boolean any = false;
        for (Runnable task = tasks.take(); task != null; task = tasks.take()) {
            perform(task);
            any = true;
        }
        return any;
    }

    @SuppressWarnings("ReferenceEquality") // this very loader
    private void perform(Runnable task) {
        Thread.interrupted(); // it was meant for a task that has ended
        step();
        try {
            task.run();
        } catch (Throwable failure) {
            report(failure);
        } finally {
            step();
            if (getContextClassLoader() != LOADER) {
                setContextClassLoader(LOADER);
            }
        }
    }

    private static void report(Throwable failure) {
        try {
            LOG.error("A task threw", failure);
        } catch (Throwable again) {
            // Out of memory, most likely. The tasks behind this one matter more than the message.
        }
    }

    private void step() {
        steps.setRelease(steps.getPlain() + 1);
    }

    int generation() {
        return generation;
    }

    boolean belongsTo(WorkerThreads asking) {
        return threads == asking;
    }

    boolean isInTask() {
        return (steps.get() & 1) != 0;
    }

    /** {@link ProcessorTime#nanos}. */
    long processorNanos() {
        ProcessorTime mine = processorTime;
        return mine == null ? ProcessorTime.UNKNOWN : mine.nanos();
    }

    /** Tasks ended since this was last asked. For the supervisor alone. */
    int look() {
        int now = steps.get();
        int ended = (now >>> 1) - (seen >>> 1);
        looksInTask = now == seen && (now & 1) != 0 ? looksInTask + 1 : 0;
        seen = now;
        blocked = looksInTask > 0 && isWaiting(getState());
        return ended;
    }

    /** When it was looked at last: in one task for a while, and waiting in it. */
    boolean isBlocked() {
        return blocked;
    }

    /** When it was looked at last: in one task for so long that short ones should get past it. */
    boolean isComputingLong() {
        return !blocked && looksInTask >= COMPUTES_LONG;
    }

    private boolean isWaiting(State state) {
        return isAsleep(state, LockSupport.getBlocker(this)) || isStuck(state);
    }

    /** Does a thread in this state, parked with this blocker, wait for something else than a processor or a lock? */
    static boolean isAsleep(State state, @Nullable Object blocker) {
        if (state == State.RUNNABLE || state == State.BLOCKED) {
            return false;
        }
        Class<?> kind = blocker == null ? null : blocker.getClass().getNestHost();
        return !ReentrantLock.class.equals(kind) && !ReentrantReadWriteLock.class.equals(kind);
    }

    /**
     * A thread that waits for a lock goes on when the lock's holder has had a processor, and others would only wait for the
     * same lock; so it counts after a while. One that waits for a socket looks runnable, like one that waits for a processor
     * or loads classes, but it stays in the same native method. That answer takes some microseconds, so it is asked of long
     * tasks, now and then.
     */
    private boolean isStuck(State state) {
        if (looksInTask < Supervisor.LONG_LOOKS) {
            nativeMethod = null;
            return false;
        }
        if (state != State.RUNNABLE || blocked || looksInTask % Supervisor.LONG_LOOKS > 1) {
            return state != State.RUNNABLE || blocked;
        }
        StackTraceElement[] stack = getStackTrace();
        StackTraceElement now = stack.length > 0 && stack[0].isNativeMethod() ? stack[0] : null;
        boolean same = now != null && now.equals(nativeMethod);
        nativeMethod = now;
        return same;
    }

    boolean isCounted() {
        return counted;
    }

    void setCounted(boolean counted) {
        this.counted = counted;
    }

    boolean isForgotten() {
        return forgotten;
    }

    void setForgotten() {
        forgotten = true;
    }

    // ---- sleeping: under the lock of WorkerThreads, except isAsleep

    void fallAsleep() {
        asleep = true;
    }

    boolean isAsleep() {
        return asleep;
    }

    void wakeUp() {
        counted = true;
        asleep = false;
        LockSupport.unpark(this);
    }
}
