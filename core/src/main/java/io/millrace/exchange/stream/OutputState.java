package io.millrace.exchange.stream;

/**
 * What an {@link ExchangeOutputStream} does with what was written. Changed under the stream's lock.
 *
 * <pre>
 * from        event   to
 * COLLECTING  START   STARTING    a thread calls the write that sends what was collected
 * COLLECTING  LAST    OVER        the same, with the write that ends the response
 * STARTING    DONE    COLLECTING  the write has completed before the call returned: the thread that called goes on
 * STARTING    RETURN  WAITING     the client is slow: the write is pending, and holds no thread
 * WAITING     DONE    COLLECTING  the thread that completed the write goes on
 * any         STOP    OVER        the client is gone, or the response was replaced
 * OVER        any     OVER
 * </pre>
 *
 * Everything else is a programming error. What is written while a write is pending is collected all the same.
 */
enum OutputState {
    COLLECTING,
    STARTING,
    WAITING,
    OVER;

    /** What happens to a response's output. */
    enum Event {
        START,
        LAST,
        RETURN,
        DONE,
        STOP
    }

    /** True while a write is under way, the last one excepted. */
    boolean isSending() {
        return this == STARTING || this == WAITING;
    }

    /**
     * Where the event leads.
     *
     * @throws IllegalStateException if it can't happen in this state
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
