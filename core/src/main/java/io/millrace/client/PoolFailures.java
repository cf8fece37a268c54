package io.millrace.client;

import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.io.DialException;
import org.jspecify.annotations.Nullable;

/** Creates the exceptions for requests that get no session of a pool. No byte of them was sent. */
record PoolFailures(Destination destination, PoolLimits limits) {

    ClientException tooManyWaiting() {
        return of(
                Reason.TOO_MANY_WAITING,
                "no connection to " + destination + " is free (" + taken()
                        + "), and no further request may wait for one (maxWaiting: " + limits.maxWaiting() + ")",
                null);
    }

    ClientException waitedTooLong() {
        return of(
                Reason.WAITED_TOO_LONG,
                "no connection to " + destination + " became free within "
                        + limits.waitTimeout().toMillis() + " ms (" + taken() + ")",
                null);
    }

    private String taken() {
        String all = "maxConnections: " + limits.maxConnections();
        return limits.clientShare() == 100 ? all : all + ", clientShare: " + limits.clientShare() + " %";
    }

    ClientException stopped() {
        return of(Reason.ABORTED, "the connection pool for " + destination + " is closed", null);
    }

    /**
     * The exception for a connection that could not be opened or used.
     *
     * @param cause null if it was closed during its start; a {@link ClientException} is returned unchanged
     */
    ClientException unopened(Reason reason, @Nullable Throwable cause) {
        if (cause instanceof ClientException known) {
            return known;
        }
        String message = "no connection";
        try {
            message = cause instanceof DialException undialled
                    ? String.valueOf(undialled.getMessage()) // names the address
                    : "no connection to " + destination
                            + (cause == null
                                    ? ": it was closed during its start"
                                    : reason == Reason.INTERNAL
                                            ? " could be used: " + cause
                                            : ": " + cause.getMessage());
        } catch (Throwable noText) {
            // most likely out of memory; the waiter must be notified even without a full message
        }
        return of(reason, message, cause);
    }

    private static ClientException of(Reason reason, String message, @Nullable Throwable cause) {
        return new ClientException(reason, Processed.NO, message, cause);
    }
}
