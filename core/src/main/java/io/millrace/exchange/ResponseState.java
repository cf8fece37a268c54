package io.millrace.exchange;

/**
 * How far a response was sent. The owner of the exchange moves it, and so do completions and {@link HttpExchange#abort},
 * by compare-and-set.
 *
 * <pre>
 * from       event   to
 * OPEN       PIECE   SENDING     committed: the head and a first piece are on their way
 * OPEN       LAST    FINISHING   committed, all in one piece
 * OPEN       END     FINISHING   the handler sent nothing: an empty body follows
 * SENDING    SENT    STREAMING   the piece is gone, the next may follow
 * SENDING    END     DRAINING    the handler returned while a piece was on its way
 * STREAMING  PIECE   SENDING
 * STREAMING  LAST    FINISHING   the last piece is on its way
 * STREAMING  END     FINISHING   the handler sent no last piece: an empty one follows
 * DRAINING   SENT    FINISHING   the empty last piece follows
 * FINISHING  SENT    FINISHED
 * any        FAIL    FAILED      but FINISHED stays: nothing can fail any more
 * </pre>
 *
 * {@code END} changes nothing where the last piece is on its way or gone, and nothing but {@code FAIL} matters to a
 * response that failed. Everything else is a programming error.
 */
enum ResponseState {
    OPEN,
    SENDING,
    STREAMING,
    DRAINING,
    FINISHING,
    FINISHED,
    FAILED;

    /** What happens to a response. */
    enum Event {
        PIECE,
        LAST,
        END,
        SENT,
        FAIL
    }

    /** Nothing more will be sent. */
    boolean isSettled() {
        return this == FINISHED || this == FAILED;
    }

    /** The whole body was handed over, if not sent. */
    boolean isComplete() {
        return this == FINISHING || this == FINISHED;
    }

    /**
     * Where the event leads.
     *
     * @throws IllegalStateException if it can't happen in this state
     */
    static ResponseState next(ResponseState from, Event event) {
        if (from == FAILED) {
            return FAILED;
        }
        return switch (event) {
            case FAIL -> from == FINISHED ? FINISHED : FAILED;
            case END -> afterEnd(from);
            case SENT -> afterSent(from);
            case PIECE, LAST -> afterPiece(from, event);
        };
    }

    private static ResponseState afterPiece(ResponseState from, Event event) {
        if (from == OPEN || from == STREAMING) {
            return event == Event.LAST ? FINISHING : SENDING;
        }
        throw impossible(from, event);
    }

    private static ResponseState afterSent(ResponseState from) {
        return switch (from) {
            case SENDING -> STREAMING;
            case DRAINING -> FINISHING;
            case FINISHING -> FINISHED;
            default -> throw impossible(from, Event.SENT);
        };
    }

    private static ResponseState afterEnd(ResponseState from) {
        return switch (from) {
            case OPEN, STREAMING -> FINISHING;
            case SENDING -> DRAINING;
            default -> from;
        };
    }

    private static IllegalStateException impossible(ResponseState from, Event event) {
        return new IllegalStateException("the response is " + from + "; " + event + " is not possible now");
    }
}
