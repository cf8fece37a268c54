package io.millrace.io.socket;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Logs that accepting fails, at most once a minute. Confined to the acceptor's thread. */
public final class AcceptFailures {

    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Initialized before the process runs out of file descriptors: loading a class may need one. */
    private final SocketLog log = SocketLog.LOG;

    private final String name;
    private final LongSupplier nanoTime;
    private long nextTime;

    /**
     * No failure so far.
     *
     * @param name the transport's name
     * @param nanoTime {@link System#nanoTime}, or a test's clock
     */
    public AcceptFailures(String name, LongSupplier nanoTime) {
        this.name = name;
        this.nanoTime = nanoTime;
        nextTime = nanoTime.getAsLong();
    }

    /** Logs that accepting failed, with the number of open connections. */
    public void failed(Throwable cause, int open) {
        long now = nanoTime.getAsLong();
        if (nextTime - now > 0) {
            return;
        }
        nextTime = now + INTERVAL_NANOS;
        try {
            log.cannotAccept(name, open, cause.getMessage());
        } catch (Throwable logFailure) {
            // logging may open a file or load a class; accepting continues without it
        }
    }
}
