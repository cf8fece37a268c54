package io.millrace.workers;

import io.millrace.io.LoopRole;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A thread of a {@link WorkerPool}. */
final class Worker extends Thread implements LoopRole.Holder {

    private static final Logger LOG = Logger.getLogger(WorkerPool.class);
    private static final @Nullable ClassLoader LOADER = WorkerPool.class.getClassLoader();

    /** In samples. Another worker takes CPU time from this one, so the delay must justify it. */
    private static final int COMPUTES_LONG = 2 * Supervisor.LONG_SAMPLES;

    /** One that has been in a task for so many samples and is blocked is looked at in every 16th sample only. */
    private static final int BLOCKED_LONG = Supervisor.LONG_SAMPLES;

    private final WorkerThreads threads;
    private final TaskQueue tasks;
    private final int generation;
    private volatile boolean asleep;

    /** Whether it polls for an event loop; it then runs no tasks. */
    private volatile boolean polls;

    /** Whether it is counted as awake. Guarded by the lock of {@link WorkerThreads}, except when this thread retires. */
    private boolean counted = true;

    /** Guarded by the lock of {@link WorkerThreads}. */
    private boolean forgotten;

    private volatile @Nullable KernelThread kernel;
    /** Odd while in a task. Written by this thread without a fence; the supervisor tolerates a stale value. */
    private final AtomicInteger steps = new AtomicInteger();
    /** Used by the supervisor only: {@link #steps} at its last sample, and the number of samples since that changed. */
    private int lastSteps;

    private int samplesInTask;
    private boolean blocked;
    private boolean blockedBefore;
    private boolean hasJustBlocked;
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
            kernel = KernelThread.ofCurrentThread();
            do {
                work();
            } while (threads.sleep(this));
        } finally {
            threads.ended(this);
        }
    }

    /** Runs tasks until there are none even after yielding to the submitting threads: sleeping and waking up costs more. */
    @SuppressWarnings("ThreadPriorityCheck") // affects only performance
    private void work() {
        do {
            do {
                performAll();
                Thread.yield();
            } while (performAll());
        } while (!retire());
    }

    /** Whether it may sleep: no task has been queued meanwhile. */
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

    @SuppressWarnings("ReferenceEquality") // class loaders are compared by identity
    private void perform(Runnable task) {
        Thread.interrupted(); // clears an interrupt that was meant for an earlier task
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
            // most likely out of memory; the following tasks must run even if nothing can be logged
        }
    }

    private void step() {
        steps.setRelease(steps.getPlain() + 1);
    }

    /** Polls for an event loop, inside a task, until the loop's own thread is back. Its name shows that meanwhile. */
    void poll(LoopRole.Loop loop) {
        String name = getName();
        polls = true;
        try {
            setName(name + " (polls for " + loop + ")");
            loop.poll();
        } finally {
            polls = false;
            setName(name);
        }
    }

    @Override
    public boolean isPolling() {
        return polls;
    }

    @Override
    public @Nullable LoopRole role() {
        return null;
    }

    int generation() {
        return generation;
    }

    boolean belongsTo(WorkerThreads owner) {
        return threads == owner;
    }

    boolean isInTask() {
        return (steps.get() & 1) != 0;
    }

    /** {@link KernelThread#nanos}. */
    long processorNanos() {
        KernelThread thread = kernel;
        return thread == null ? KernelThread.UNKNOWN : thread.nanos();
    }

    /** Resets the sampling state when the supervisor begins to sample. Called by the supervisor only. */
    void beginSampling() {
        int now = steps.get();
        samplesInTask = now == lastSteps ? samplesInTask : 0;
        lastSteps = now;
    }

    /** The number of tasks that have ended since the last call. Called by the supervisor only. */
    int sample() {
        int now = steps.get();
        int ended = (now >>> 1) - (lastSteps >>> 1);
        samplesInTask = now == lastSteps && (now & 1) != 0 ? samplesInTask + 1 : 0;
        lastSteps = now;
        if (polls) { // it is missing like one that is blocked, which says nothing about the tasks that wait
            blocked = true;
            blockedBefore = true;
            hasJustBlocked = false;
            return ended;
        }
        blockedBefore &= samplesInTask > 0;
        if (!blocked || samplesInTask < BLOCKED_LONG || samplesInTask % 16 == 0) {
            blocked = samplesInTask > 0 && isWaiting(getState());
        }
        hasJustBlocked = blocked && !blockedBefore;
        blockedBefore |= blocked;
        return ended;
    }

    /** Whether it was blocked within the same task at the last sample. */
    boolean isBlocked() {
        return blocked;
    }

    /** Whether the last sample was the first that found it blocked within its task. */
    boolean hasJustBlocked() {
        return hasJustBlocked;
    }

    /** Whether it had computed for one task for so long at the last sample that short tasks should bypass it. */
    boolean isComputingLong() {
        return !blocked && samplesInTask >= COMPUTES_LONG;
    }

    private boolean isWaiting(State state) {
        return KernelThread.isAsleep(state, LockSupport.getBlocker(this)) || isStuck(state);
    }

    /**
     * A thread that waits for a lock continues when the lock's holder has had a processor, and other threads would only
     * wait for the same lock; it is therefore counted after some time. A thread that waits for a socket is RUNNABLE,
     * like one that waits for a processor or loads classes, but stays in the same native method. A stack trace takes
     * some microseconds, so it is taken only occasionally, and of long tasks only.
     */
    private boolean isStuck(State state) {
        if (samplesInTask < Supervisor.LONG_SAMPLES) {
            nativeMethod = null;
            return false;
        }
        if (state != State.RUNNABLE || blocked || samplesInTask % Supervisor.LONG_SAMPLES > 1) {
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
