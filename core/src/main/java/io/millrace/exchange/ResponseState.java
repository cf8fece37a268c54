package io.millrace.exchange;

/**
 * The state of a response. Changed by the owner of the exchange, by completions and by {@link HttpExchange#abort}, with
 * compare-and-set.
 *
 * <pre>
 * from       event   to
 * OPEN       PIECE   SENDING     committed: the head and the first piece are being sent
 * OPEN       LAST    FINISHING   committed, in one piece
 * OPEN       END     FINISHING   the handler sent nothing: an empty body follows
 * SENDING    SENT    STREAMING   the piece was sent, the next may follow
 * SENDING    END     DRAINING    the handler returned while a piece was being sent
 * STREAMING  PIECE   SENDING
 * STREAMING  LAST    FINISHING   the last piece is being sent
 * STREAMING  END     FINISHING   the handler sent no last piece: an empty one follows
 * DRAINING   SENT    FINISHING   the empty last piece follows
 * FINISHING  SENT    FINISHED
 * any        FAIL    FAILED      except FINISHED, which does not change
 * </pre>
 *
 * {@code END} is ignored after the last piece, and FAILED ignores all events. Every other event is illegal.
 */
enum ResponseState {
    OPEN,
    SENDING,
    STREAMING,
    DRAINING,
    FINISHING,
    FINISHED,
    FAILED;

    /** The events of a response. */
    enum Event {
        PIECE,
        LAST,
        END,
        SENT,
        FAIL
    }

    /** Whether nothing more will be sent. */
    boolean isSettled() {
        return this == FINISHED || this == FAILED;
    }

    /** Whether the last piece was written, sent or not. */
    boolean isComplete() {
        return this == FINISHING || this == FINISHED;
    }

    /**
     * The next state.
     *
     * @throws IllegalStateException if the event is illegal in this state
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
