package io.millrace.io;

/**
 * Decides whether an internal failure is logged with its stack trace. If the process is out of memory or threads, every
 * connection fails in the same way: that is logged at most once a minute. All other failures are logged.
 */
public final class ShortageLogging {

    private enum Kind {
        OUT_OF_MEMORY
    }

    private static final LogThrottle<Kind> THROTTLE = new LogThrottle<>(Kind.class);

    private ShortageLogging() {}

    /** Whether the failure is to be logged now; the caller then logs it. Safe to call from any thread. */
    public static boolean isDue(Throwable thrown) {
        return !(thrown instanceof OutOfMemoryError) || THROTTLE.isDue(Kind.OUT_OF_MEMORY);
    }
}
