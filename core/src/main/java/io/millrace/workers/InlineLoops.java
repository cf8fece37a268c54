package io.millrace.workers;

import io.millrace.io.LoopRole;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads of event loops that run short tasks themselves, in place of the workers of a pool. While such a thread runs one, a
 * sleeping worker is kept free for its loop: the supervisor lets it poll if it finds the same task twice, as does the thread
 * itself before it waits. A task that cannot have all of that is queued.
 *
 * <p>An isolated task is queued too. It would have to wake the supervisor, which costs as much as waking a worker; so the supervisor
 * begins to watch when tasks come faster than its samples.
 */
final class InlineLoops {

    /** Tasks of one loop that follow each other within this time are worth being watched. */
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** After so many samples without an answer another worker is asked. */
    private static final int ASK_AGAIN = 10;

    /**
     * A task that has been on a processor for so long after a worker was asked to poll has computed. The kernel may count the time a tick
     * late. One that was not has only waited for its processor, which says nothing about the next task of its kind.
     */
    private static final long COMPUTED_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Host host;

    /** Replaced, never changed. */
    private volatile Watched[] loops = {};

    InlineLoops(Host host) {
        this.host = host;
    }

    /** What the pool does for them. Nothing but {@link #poll} and {@link #watch} may throw. */
    interface Host {

        /** Keeps a sleeping worker free until {@link #release}. False if there is none, which may change soon, or tasks wait for it. */
        boolean reserve();

        /** Undoes {@link #reserve}. */
        void release();

        /** Runs a task before all others, on a worker that was reserved, or any other. No effect without memory for it. */
        void executeUrgent(Runnable task);

        /** Polls on the current thread, a worker. */
        void poll(LoopRole.Loop loop);

        /** Whether {@link #sample} is called soon. */
        boolean isWatching();

        /** Whether {@link #sample} should have been called long ago. */
        boolean isStalled();

        /** Lets {@link #sample} be called every millisecond from now on, until it is false. */
        void watch();
    }

    /** A loop, and what the supervisor saw of it. */
    private static final class Watched {

        private final LoopRole role;

        /** The thread of which {@link #kernel} tells. Confined to the loop's thread. */
        private @Nullable Thread known;

        /** Null if the system tells nothing. */
        private volatile @Nullable KernelThread kernel;

        /** When a worker was asked to poll: {@link KernelThread#runningNanos}. Published by the role. */
        private long runningBefore;

        // used in samples only
        private int lastLoans;
        private int samplesSought;

        Watched(LoopRole role) {
            this.role = role;
            lastLoans = role.loans();
        }

        /** Called by the loop's thread, which may have been renewed. */
        void know() {
            Thread current = Thread.currentThread();
            if (!current.equals(known)) {
                kernel = KernelThread.ofCurrentThread();
                known = current;
            }
        }

        /** Whether the task waits: not for a processor, and not for a lock, whose holder may only need a processor. */
        boolean isWaiting() {
            Thread thread = role.loopThread();
            if (thread == null) {
                return false;
            }
            Thread.State state = thread.getState();
            KernelThread known = kernel;
            return state == Thread.State.RUNNABLE
                    ? known != null && known.isWaiting() // for a socket, most likely
                    : KernelThread.isAsleep(state, LockSupport.getBlocker(thread));
        }

        void rememberRunning() {
            KernelThread known = kernel;
            runningBefore = known == null ? KernelThread.UNKNOWN : known.runningNanos();
        }

        /** Called by the loop's thread after another one has polled: whether it needed its processor meanwhile, or that is unknown. */
        boolean hasComputed() {
            KernelThread known = kernel;
            long running = known == null ? KernelThread.UNKNOWN : known.runningNanos();
            return running == KernelThread.UNKNOWN
                    || runningBefore == KernelThread.UNKNOWN
                    || running - runningBefore >= COMPUTED_NANOS;
        }
    }

    /** {@link Workers#beginInline}. */
    boolean begin(LoopRole role, long now) {
        boolean burst = role.sinceLast(now) < BURST_NANOS;
        boolean watched = burst ? !host.isStalled() : host.isWatching();
        if (!watched || role.isCrowded() || !host.reserve()) {
            return false;
        }
        boolean lent = false;
        try {
            watched(role).know();
            lent = role.lend(this);
            if (lent) {
                host.watch();
            }
        } catch (Throwable unwatched) {
            lent = lent && !role.giveBack(); // if a worker polls already, it is watched
        } finally {
            if (!lent) {
                host.release();
            }
        }
        return lent;
    }

    /** {@link Workers#endInline}. */
    Workers.Verdict end(LoopRole role) {
        boolean back = role.giveBack();
        if (role.isReservationOver()) {
            host.release();
        }
        if (role.hasWaited()) {
            return Workers.Verdict.WAITED;
        }
        return back || !watched(role).hasComputed() ? Workers.Verdict.SHORT : Workers.Verdict.COMPUTED;
    }

    /** Whether the current thread is that of a loop, and runs a task of this pool. */
    boolean isCurrent() {
        LoopRole role = LoopRole.ofCurrentThread();
        return role != null && role.isLentTo(this);
    }

    /** The current thread is about to wait, which an event loop must not. */
    void waits() {
        LoopRole role = LoopRole.ofCurrentThread();
        if (role != null && role.isLentTo(this)) {
            role.waited(role.loans());
            seek(role);
        }
    }

    /** New threads take the places of those that have run tasks. */
    void renew() {
        for (Watched watched : loops) {
            watched.role.renew();
        }
    }

    // ---- the supervisor's

    /** Looks for tasks that are not short. True if there may be one at the next sample. Never called by two threads at once. */
    boolean sample() {
        boolean busy = false;
        boolean ended = false;
        for (Watched watched : loops) {
            LoopRole role = watched.role;
            int loans = role.loans();
            boolean again = loans == watched.lastLoans;
            watched.lastLoans = loans;
            ended |= role.isEnded();
            if (role.isLentTo(this) && role.isVacant()) {
                busy = true;
                if (again) {
                    handleLong(watched, loans);
                }
            } else {
                busy |= !again;
            }
        }
        if (ended) {
            forgetEnded();
        }
        return busy;
    }

    private void handleLong(Watched watched, int loan) {
        LoopRole role = watched.role;
        if (watched.isWaiting()) {
            role.waited(loan);
        }
        if (!role.isSought()) {
            watched.samplesSought = 0;
            watched.rememberRunning();
            seek(role);
        } else if (++watched.samplesSought % ASK_AGAIN == 0) {
            ask(role);
        }
    }

    /** Whether a loop is without a thread that polls: the supervisor must not sleep. */
    boolean isAnyVacant() {
        for (Watched watched : loops) {
            if (watched.role.isLentTo(this) && watched.role.isVacant()) {
                return true;
            }
        }
        return false;
    }

    // ---- a worker in place of a loop's thread

    private void seek(LoopRole role) {
        if (role.seek()) {
            ask(role);
        }
    }

    /** If it fails, the supervisor asks again. */
    private void ask(LoopRole role) {
        host.executeUrgent(() -> poll(role));
    }

    /** On a worker. */
    private void poll(LoopRole role) {
        if (!role.take()) {
            return; // the code has ended
        }
        Thread loopThread = role.loopThread();
        String name = role.loop().toString(); // not the thread's: another worker may not have reset it yet
        boolean done = false;
        try {
            if (role.isReservationOver()) {
                host.release();
            }
            rename(loopThread, name + " (runs a request)");
            host.poll(role.loop());
            done = true;
        } finally {
            if (!done && role.drop()) {
                host.watch();
            }
            rename(loopThread, name);
        }
    }

    private static void rename(@Nullable Thread thread, String name) {
        if (thread != null) {
            thread.setName(name);
        }
    }

    /** Called by a loop's thread. */
    private Watched watched(LoopRole role) {
        for (Watched watched : loops) {
            if (watched.role.equals(role)) {
                return watched;
            }
        }
        synchronized (this) {
            Watched[] more = Arrays.copyOf(loops, loops.length + 1);
            Watched watched = new Watched(role);
            more[loops.length] = watched;
            loops = more;
            return watched;
        }
    }

    /** The number of loops that run tasks, or have. */
    int count() {
        return loops.length;
    }

    private synchronized void forgetEnded() {
        loops = Arrays.stream(loops).filter(watched -> !watched.role.isEnded()).toArray(Watched[]::new);
    }
}
