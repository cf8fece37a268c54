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

    ClientException closedAsItBegan() {
        return of(Reason.DIAL, "the connection to " + destination + " was closed as it began", null);
    }

    /** It could not be opened. */
    ClientException unopened(Reason reason, Throwable cause) {
        return of(reason, "no connection to " + destination + ": " + cause.getMessage(), cause);
    }

    /** Something failed here, for lack of memory for example. */
    ClientException internal(Throwable thrown) {
        return of(Reason.INTERNAL, "no connection to " + destination + " could be used: " + thrown, thrown);
    }

    private static ClientException of(Reason reason, String message, @Nullable Throwable cause) {
        return new ClientException(reason, Processed.NO, message, cause);
    }
}
