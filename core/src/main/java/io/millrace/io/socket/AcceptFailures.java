package io.millrace.io.socket;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Says that accepting fails, once a minute at most. For one thread, the acceptor's. */
public final class AcceptFailures {

    private static final long SAY_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Loaded before descriptors run out: loading a class may take one. */
    private final SocketLog log = SocketLog.LOG;

    private final String name;
    private final LongSupplier nanoTime;
    private long nextTime;

    /**
     * Nothing has failed yet.
     *
     * @param name the transport's
     * @param nanoTime {@link System#nanoTime}, or a test's clock
     */
    public AcceptFailures(String name, LongSupplier nanoTime) {
        this.name = name;
        this.nanoTime = nanoTime;
        nextTime = nanoTime.getAsLong();
    }

    /** Once more it failed, for this reason, while so many connections were open. */
    public void failed(Throwable why, int open) {
        long now = nanoTime.getAsLong();
        if (nextTime - now > 0) {
            return;
        }
        nextTime = now + SAY_NANOS;
        try {
            log.cannotAccept(name, open, why.getMessage());
        } catch (Throwable alsoOutOfDescriptors) {
            // logging may open a file or load a class; accepting goes on without it
        }
    }
}
