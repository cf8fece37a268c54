package io.millrace.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an internal failure is logged with its stack trace. If the process is out of memory, threads or file
 * descriptors, every connection fails in the same way: that is logged at most once a minute. All other failures are logged.
 */
public final class ShortageLogging {

    private enum Kind {
        OUT_OF_MEMORY,
        OUT_OF_DESCRIPTORS
    }

    private static final LogThrottle<Kind> THROTTLE = new LogThrottle<>(Kind.class);

    private ShortageLogging() {}

    /** Whether the failure is to be logged now; the caller then logs it. Safe to call from any thread. */
    public static boolean isDue(Throwable thrown) {
        if (thrown instanceof OutOfMemoryError) {
            return THROTTLE.isDue(Kind.OUT_OF_MEMORY);
        }
        return !isOutOfDescriptors(thrown) || THROTTLE.isDue(Kind.OUT_OF_DESCRIPTORS);
    }

    /** Whether a file or a socket could not be opened because too many are open (EMFILE, ENFILE): a request can be repeated later. */
    public static boolean isOutOfDescriptors(Throwable thrown) {
        for (@Nullable Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof IOException && String.valueOf(at.getMessage()).contains("Too many open files")) {
                return true;
            }
        }
        return false;
    }
}
