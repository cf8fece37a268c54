package io.millrace.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Why a stream ends before its exchange is complete. Each protocol maps these to its own codes, or just closes the
 * connection.
 */
public enum ResetReason {
    /** The side that ends the stream is not interested in the rest. */
    CANCEL,
    /** The request has not been processed, and may be sent again. */
    REFUSED,
    /** The peer was too slow. */
    TIMEOUT,
    /** The peer sent something that cannot be processed. */
    PROTOCOL,
    /** The side that ends the stream has failed. */
    INTERNAL;

    /** The maximum depth of causes that is searched; frameworks wrap exceptions. */
    private static final int MAX_CAUSES = 16;

    /**
     * The reason for a failure: PROTOCOL for a {@link ProtocolException}, that of a {@link StreamResetException},
     * otherwise INTERNAL. Causes are searched too.
     */
    public static ResetReason of(Throwable failure) {
        if (find(failure, ProtocolException.class) != null) {
            return PROTOCOL;
        }
        StreamResetException reset = find(failure, StreamResetException.class);
        return reset == null ? INTERNAL : reset.reason();
    }

    /** The first exception of this type among the failure and its causes; null if there is none. */
    public static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
        Throwable at = failure;
        for (int i = 0; i < MAX_CAUSES && at != null; i++) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
            at = at.getCause();
        }
        return null;
    }
}
