package io.millrace.connector.bio;

import static io.millrace.io.TransportOptions.THREADS;

import io.millrace.io.TransportOptions;
import io.millrace.io.VirtualThreads;
import java.util.concurrent.Executor;

/** The threads that run connections: each task runs one connection until it waits for its peer, or is handed over. */
interface Threads extends Executor {

    /** Whether connections wait for a thread, so that a connection that could continue should give up its own. */
    boolean isShort();

    /** The number of consecutive calls of each of {@code busy} connections, before it yields to those in the selector loop. */
    int maxConsecutiveCalls(int busy);

    /**
     * Called before the current thread waits for its peer inside a handler: another thread may replace it until
     * {@link #endWait}, which the same thread calls.
     */
    default void beginWait() {}

    /** The end of a {@link #beginWait}. */
    default void endWait() {}

    /** Rejects further tasks, and calls {@code ended} once the running ones have ended. */
    void end(Runnable ended);

    static Threads of(TransportOptions options) {
        boolean virtual = switch (options.get(THREADS)) {
            case AUTO -> VirtualThreads.areAvailable();
            case VIRTUAL -> true;
            case PLATFORM -> false;
        };
        return virtual ? new VirtualConnectionThreads(options.name()) : new PooledThreads(options);
    }
}
