package io.millrace.protocol.mux;

/**
 * How far the body of a stream's request is for those who read it.
 *
 * <pre>
 * from           event    to
 * OPEN           END      ENDED       all of it has come
 * OPEN, ENDED    DISCARD  DISCARDED   nobody wants the rest
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

    /** What follows. */
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
