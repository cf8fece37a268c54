package io.millrace.workers;

import io.millrace.io.LoopRole;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads of event loops that run short tasks themselves, in place of the workers of a pool. While such a thread runs one, a
 * sleeping worker is kept free for its loop: the supervisor lets it poll if it finds the same task twice, as does the thread
 * itself before it waits. A task that cannot have all of that is queued.
 *
 * <p>A lonely task is queued too. It would have to wake the supervisor, which costs as much as waking a worker; so the supervisor
 * begins to watch when tasks come faster than its samples.
 */
final class Guests {

    /** Tasks of one loop that follow each other within this time are worth being watched. */
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** After so many samples without an answer another worker is asked. */
    private static final int ASK_AGAIN = 10;

    private final Host host;

    /** Replaced, never changed. */
    private volatile Guest[] guests = {};

    Guests(Host host) {
        this.host = host;
    }

    /** What the pool does for them. Nothing but {@link #poll} and {@link #watch} may throw. */
    interface Host {

        /** Keeps a sleeping worker free until {@link #release}. False if there is none, or tasks wait for it. */
        boolean reserve();

        /** Undoes {@link #reserve}. */
        void release();

        /** Runs a task before all others, on a worker that was reserved, or any other. No effect without memory for it. */
        void executeFirst(Runnable task);

        /** Polls on the current thread, a worker. */
        void poll(LoopRole.Loop loop);

        /** Whether {@link #sample} is called soon. */
        boolean isWatching();

        /** Whether {@link #sample} should have been called long ago. */
        boolean isLate();

        /** Lets {@link #sample} be called every millisecond from now on, until it is false. */
        void watch();
    }

    /** A loop, and what the supervisor saw of it. */
    private static final class Guest {

        private final LoopRole role;

        // used in samples only
        private int lastLoans;
        private int samplesSought;

        Guest(LoopRole role) {
            this.role = role;
            lastLoans = role.loans();
        }
    }

    /** {@link Workers#beginInline}. */
    boolean begin(LoopRole role, long now) {
        boolean burst = role.sinceLast(now) < BURST_NANOS;
        boolean watched = burst ? !host.isLate() : host.isWatching();
        if (!watched || role.isCrowded() || !host.reserve()) {
            return false;
        }
        boolean lent = false;
        try {
            invite(role);
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
    boolean end(LoopRole role) {
        boolean back = role.giveBack();
        if (role.isReservationOver()) {
            host.release();
        }
        return back;
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
            role.waits();
            seek(role);
        }
    }

    /** New threads take the places of those that have run tasks. */
    void renew() {
        for (Guest guest : guests) {
            guest.role.loop().renew();
        }
    }

    // ---- the supervisor's

    /** Looks for tasks that are not short. True if there may be one at the next sample. Never called by two threads at once. */
    boolean sample() {
        boolean busy = false;
        boolean ended = false;
        for (Guest guest : guests) {
            LoopRole role = guest.role;
            int loans = role.loans();
            boolean again = loans == guest.lastLoans;
            guest.lastLoans = loans;
            ended |= role.isEnded();
            if (role.isLentTo(this) && role.isVacant()) {
                busy = true;
                if (again) {
                    isLong(guest);
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

    private void isLong(Guest guest) {
        Thread home = guest.role.home();
        Thread.State state = home == null ? Thread.State.RUNNABLE : home.getState();
        if (state != Thread.State.RUNNABLE) {
            guest.role.waits();
        }
        if (!guest.role.isSought()) {
            guest.samplesSought = 0;
            seek(guest.role);
        } else if (++guest.samplesSought % ASK_AGAIN == 0) {
            ask(guest.role);
        }
    }

    /** Whether a loop is without a thread that polls: the supervisor must not sleep. */
    boolean isAnyVacant() {
        for (Guest guest : guests) {
            if (guest.role.isLentTo(this) && guest.role.isVacant()) {
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
        host.executeFirst(() -> poll(role));
    }

    /** On a worker. */
    private void poll(LoopRole role) {
        if (!role.take()) {
            return; // the code has ended
        }
        Thread home = role.home();
        String name = role.loop().toString(); // not the thread's: another worker may not have reset it yet
        boolean done = false;
        try {
            if (role.isReservationOver()) {
                host.release();
            }
            rename(home, name + " (runs a request)");
            host.poll(role.loop());
            done = true;
        } finally {
            if (!done && role.drop()) {
                host.watch();
            }
            rename(home, name);
        }
    }

    private static void rename(@Nullable Thread thread, String name) {
        if (thread != null) {
            thread.setName(name);
        }
    }

    /** Called by a loop's thread. */
    private void invite(LoopRole role) {
        for (Guest guest : guests) {
            if (guest.role.equals(role)) {
                return;
            }
        }
        synchronized (this) {
            Guest[] more = Arrays.copyOf(guests, guests.length + 1);
            more[guests.length] = new Guest(role);
            guests = more;
        }
    }

    private synchronized void forgetEnded() {
        guests = Arrays.stream(guests).filter(guest -> !guest.role.isEnded()).toArray(Guest[]::new);
    }
}
