package io.millrace.protocol.mux;

import org.jspecify.annotations.Nullable;

/**
 * The state of a stream's output.
 *
 * <pre>
 * from              event  to
 * IDLE              HEAD   STREAMING   the exchange has sent the head
 * STREAMING         LAST   ENDING      and the last piece
 * ENDING            SENT   ENDED       which is in a batch
 * any but ENDED     FAIL   FAILED      reset by either side, or the connection is closed
 * ENDED             FAIL   ENDED
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

    /** The next state; null if the event is illegal. */
    static @Nullable SendState next(SendState from, Event event) {
        return switch (event) {
            case HEAD -> from == IDLE ? STREAMING : null;
            case LAST -> from == STREAMING ? ENDING : null;
            case SENT -> from == ENDING ? ENDED : null;
            case FAIL -> from == ENDED ? ENDED : FAILED;
        };
    }
}
