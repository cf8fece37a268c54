package io.millrace.exchange;

/**
 * The state of a request's body. Confined to the owner of the exchange.
 *
 * <pre>
 * from       event  to
 * UNREAD     READ   READING     a read returned bytes, or none yet
 * UNREAD     END    EXHAUSTED   the end was read
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

    /** The result of a read. */
    enum Event {
        READ,
        END,
        FAIL
    }

    boolean isOver() {
        return this == EXHAUSTED || this == FAILED;
    }

    /**
     * The next state.
     *
     * @throws IllegalStateException if the event is illegal in this state
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
