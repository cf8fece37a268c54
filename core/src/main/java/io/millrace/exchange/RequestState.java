package io.millrace.exchange;

/**
 * How far a request's body was read. Moved by the owner of the exchange alone.
 *
 * <pre>
 * from       event  to
 * UNREAD     READ   READING     bytes came, or none yet
 * UNREAD     END    EXHAUSTED   the end came: nothing is left on the wire
 * UNREAD     FAIL   FAILED      malformed, too large, or the connection broke
 * READING    READ   READING
 * READING    END    EXHAUSTED
 * READING    FAIL   FAILED
 * </pre>
 *
 * After EXHAUSTED and FAILED nothing is read any more.
 */
enum RequestState {
    UNREAD,
    READING,
    EXHAUSTED,
    FAILED;

    /** What reading brings. */
    enum Event {
        READ,
        END,
        FAIL
    }

    boolean isOver() {
        return this == EXHAUSTED || this == FAILED;
    }

    /**
     * Where the event leads.
     *
     * @throws IllegalStateException if it can't happen in this state
     */
    static RequestState next(RequestState from, Event event) {
        if (from.isOver()) {
            throw new IllegalStateException("the request is " + from + "; " + event + " is not possible now");
        }
        return switch (event) {
            case READ -> READING;
            case END -> EXHAUSTED;
            case FAIL -> FAILED;
        };
    }
}
