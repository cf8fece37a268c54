package io.millrace.protocol.mux;

/**
 * The state of a stream's input.
 *
 * <pre>
 * from           event    to
 * OPEN           END      ENDED       the peer's side is complete
 * OPEN, ENDED    DISCARD  DISCARDED   the rest is not read
 * OPEN, ENDED    FAIL     FAILED      reset, malformed, overdue, or the connection is closed: reading fails
 * DISCARDED      any      DISCARDED
 * FAILED         any      FAILED
 * ENDED          END      ENDED
 * </pre>
 */
enum ReceiveState {
    OPEN,
    ENDED,
    DISCARDED,
    FAILED;

    enum Event {
        END,
        DISCARD,
        FAIL
    }

    /** The next state. */
    static ReceiveState next(ReceiveState from, Event event) {
        if (from == DISCARDED || from == FAILED) {
            return from;
        }
        return switch (event) {
            case END -> ENDED;
            case DISCARD -> DISCARDED;
            case FAIL -> FAILED;
        };
    }
}
