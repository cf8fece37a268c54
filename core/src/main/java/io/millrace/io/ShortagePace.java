package io.millrace.io;

/**
 * Whether a failure of ours is to be logged with its stack trace. When the process is short of memory or threads, every
 * connection fails in the same way: that is said once a minute. All else is.
 */
public final class ShortagePace {

    private enum Kind {
        OUT_OF_MEMORY
    }

    private static final LogPace<Kind> PACE = new LogPace<>(Kind.class);

    private ShortagePace() {}

    /** Is a line due? The caller then writes it. Any thread. */
    public static boolean isDue(Throwable thrown) {
        return !(thrown instanceof OutOfMemoryError) || PACE.isDue(Kind.OUT_OF_MEMORY);
    }
}
