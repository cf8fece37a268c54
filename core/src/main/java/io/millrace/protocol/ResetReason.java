package io.millrace.protocol;

import org.jspecify.annotations.Nullable;

/** Why a stream ends before its exchange is whole. Each protocol has codes of its own for them, or only the end of a connection. */
public enum ResetReason {
    /** Whoever ends it wants no more of it. */
    CANCEL,
    /** Nothing was done for the request: it may be sent again. */
    REFUSED,
    /** Its peer was too slow. */
    TIMEOUT,
    /** The peer sent what can't be served. */
    PROTOCOL,
    /** Whoever ends it has failed. */
    INTERNAL;

    /** How deep frameworks may have wrapped an exception. */
    private static final int MAX_CAUSES = 16;

    /** What a failure comes to: the reason it carries, PROTOCOL for a {@link ProtocolException}, INTERNAL for others. */
    public static ResetReason of(Throwable failure) {
        if (find(failure, ProtocolException.class) != null) {
            return PROTOCOL;
        }
        StreamResetException reset = find(failure, StreamResetException.class);
        return reset == null ? INTERNAL : reset.reason();
    }

    /** The failure, or what caused it, if it is of a type. */
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
