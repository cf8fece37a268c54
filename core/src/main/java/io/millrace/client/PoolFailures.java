package io.millrace.client;

import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import org.jspecify.annotations.Nullable;

/** Why a request got no session of a pool, in words. No byte of it was sent. */
record PoolFailures(Destination destination, PoolLimits limits) {

    ClientException tooManyWaiting() {
        return of(
                Reason.TOO_MANY_WAITING,
                "all " + limits.maxConnections() + " connections to " + destination + " are in use, and "
                        + limits.maxWaiting() + " requests wait for one",
                null);
    }

    ClientException waitedTooLong() {
        return of(
                Reason.WAITED_TOO_LONG,
                "none of the " + limits.maxConnections() + " connections to " + destination + " became free within "
                        + limits.waitTimeout().toMillis() + " ms",
                null);
    }

    ClientException stopped() {
        return of(Reason.ABORTED, "the connections to " + destination + " end", null);
    }

    /**
     * It could not be opened or used.
     *
     * @param cause null if it was closed as it began; a {@link ClientException} is the answer itself
     */
    ClientException unopened(Reason reason, @Nullable Throwable cause) {
        if (cause instanceof ClientException known) {
            return known;
        }
        String message = "no connection";
        try {
            message = "no connection to " + destination
                    + (cause == null
                            ? ": it was closed as it began"
                            : reason == Reason.INTERNAL ? " could be used: " + cause : ": " + cause.getMessage());
        } catch (Throwable unsayable) {
            // Out of memory, most likely. That somebody learns of it matters more than the words.
        }
        return of(reason, message, cause);
    }

    private static ClientException of(Reason reason, String message, @Nullable Throwable cause) {
        return new ClientException(reason, Processed.NO, message, cause);
    }
}
