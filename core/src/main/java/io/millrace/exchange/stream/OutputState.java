package io.millrace.exchange.stream;

/**
 * The state of an {@link ExchangeOutputStream}. Changed under the stream's lock.
 *
 * <pre>
 * from        event   to
 * COLLECTING  START   STARTING    a thread starts the write of the buffered bytes
 * COLLECTING  LAST    OVER        the same with the write that ends the response
 * STARTING    DONE    COLLECTING  the write completed before the call returned: the calling thread continues
 * STARTING    RETURN  WAITING     the client is slow: the write is pending, and holds no thread
 * WAITING     DONE    COLLECTING  the thread that completed the write continues
 * any         STOP    OVER        the client has disconnected, or the response was replaced
 * OVER        any     OVER
 * </pre>
 *
 * Every other event is illegal. Bytes written while a write is pending are buffered.
 */
enum OutputState {
    COLLECTING,
    STARTING,
    WAITING,
    OVER;

    /** The events of a response's output. */
    enum Event {
        START,
        LAST,
        RETURN,
        DONE,
        STOP
    }

    /** Whether a write other than the last one is in progress. */
    boolean isSending() {
        return this == STARTING || this == WAITING;
    }

    /**
     * The next state.
     *
     * @throws IllegalStateException if the event is illegal in this state
     */
    static OutputState next(OutputState from, Event event) {
        if (from == OVER || event == Event.STOP) {
            return OVER;
        }
        return switch (event) {
            case START -> require(from == COLLECTING, from, event, STARTING);
            case LAST -> require(from == COLLECTING, from, event, OVER);
            case RETURN -> require(from == STARTING, from, event, WAITING);
            case DONE -> require(from.isSending(), from, event, COLLECTING);
            case STOP -> OVER;
        };
    }

    private static OutputState require(boolean legal, OutputState from, Event event, OutputState to) {
        if (!legal) {
            throw new IllegalStateException("the output is " + from + "; " + event + " is not possible now");
        }
        return to;
    }
}
