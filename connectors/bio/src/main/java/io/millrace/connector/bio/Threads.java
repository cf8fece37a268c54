package io.millrace.connector.bio;

import static io.millrace.io.TransportOptions.THREADS;

import io.millrace.io.TransportOptions;
import io.millrace.io.VirtualThreads;
import java.util.concurrent.Executor;

/** Where connections run: each task is what one connection does until it waits for its peer, or is handed over. */
interface Threads extends Executor {

    /** Do others wait for a thread, so that whoever could go on should let them have theirs? */
    boolean isShort();

    /** So many calls may each of so many busy connections make before it lets those go first that wait by the selector loop. */
    int mostInARow(int busy);

    /**
     * The current thread begins to wait for its peer although a handler is on its stack: another may take its place until
     * {@link #endWait}, which the same thread calls.
     */
    default void beginWait() {}

    /** The end of a {@link #beginWait}. */
    default void endWait() {}

    /** Lets what runs run to its end, then tells so. Nothing is executed any more. */
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
