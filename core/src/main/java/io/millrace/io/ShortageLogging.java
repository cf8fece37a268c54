package io.millrace.io;

/**
 * Decides whether an internal failure is logged with its stack trace. When the process is short of memory or threads, every
 * connection fails in the same way: that is logged once a minute. Every other failure is logged.
 */
public final class ShortageLogging {

    private enum Kind {
        OUT_OF_MEMORY
    }

    private static final LogThrottle<Kind> PACE = new LogThrottle<>(Kind.class);

    private ShortageLogging() {}

    /** Is a line due? The caller then writes it. Any thread. */
    public static boolean isDue(Throwable thrown) {
        return !(thrown instanceof OutOfMemoryError) || PACE.isDue(Kind.OUT_OF_MEMORY);
    }
}
