package io.millrace.protocol.mux;

import org.jspecify.annotations.Nullable;

/**
 * How far a stream's response was given to it by its exchange.
 *
 * <pre>
 * from              event  to
 * IDLE              HEAD   STREAMING
 * STREAMING         LAST   ENDING      the last piece was given
 * ENDING            SENT   ENDED       and put into a batch
 * all but ENDED     FAIL   FAILED      reset, by whichever side, or the connection is closed
 * FAILED, ENDED     FAIL   as before
 * </pre>
 */
enum SendState {
    IDLE,
    STREAMING,
    ENDING,
    ENDED,
    FAILED;

    enum Event {
        HEAD,
        LAST,
        SENT,
        FAIL
    }

    /** What follows; null if that can't happen. */
    static @Nullable SendState next(SendState from, Event event) {
        return switch (event) {
            case HEAD -> from == IDLE ? STREAMING : null;
            case LAST -> from == STREAMING ? ENDING : null;
            case SENT -> from == ENDING ? ENDED : null;
            case FAIL -> from == ENDED ? ENDED : FAILED;
        };
    }
}
