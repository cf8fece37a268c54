package io.millrace.servlet.request;

import org.jspecify.annotations.Nullable;

/**
 * The states of one asynchronous cycle, from {@code startAsync} to its {@code complete} or {@code dispatch}.
 *
 * <pre>
 * from         event      to           meaning
 * STARTED      COMPLETE   COMPLETING   decided while the container's call is on the stack
 * STARTED      DISPATCH   DISPATCHING
 * STARTED      FAIL       FAILING      the application threw
 * STARTED      RETURN     WAITING      nobody owns the request
 * WAITING      COMPLETE   COMPLETING   who decides resumes the exchange
 * WAITING      DISPATCH   DISPATCHING
 * WAITING      TIMEOUT    EXPIRING     listeners are asked
 * WAITING      FAIL       FAILING      an I/O listener threw
 * EXPIRING     COMPLETE   COMPLETING   a listener, or somebody else, decided in time
 * EXPIRING     DISPATCH   DISPATCHING
 * EXPIRING     RETURN     COMPLETING   nobody did
 * FAILING      COMPLETE   COMPLETING
 * FAILING      DISPATCH   DISPATCHING
 * FAILING      RETURN     COMPLETING
 * COMPLETING   RETURN     ENDED        the response is finished
 * DISPATCHING  RETURN     ENDED        the dispatch begins; it may start a cycle of its own
 * </pre>
 *
 * Anything else is refused. A stale AsyncContext is one whose cycle has ENDED.
 */
enum AsyncState {
    STARTED,
    WAITING,
    EXPIRING,
    FAILING,
    COMPLETING,
    DISPATCHING,
    ENDED;

    /** What happens to a cycle. */
    enum Event {
        COMPLETE,
        DISPATCH,
        FAIL,
        TIMEOUT,
        RETURN
    }

    /** The state after the event; null if it is refused. */
    static @Nullable AsyncState next(AsyncState from, Event event) {
        return switch (from) {
            case STARTED -> event == Event.RETURN ? WAITING : event == Event.TIMEOUT ? null : decided(event);
            case WAITING -> event == Event.RETURN ? null : decided(event);
            case EXPIRING, FAILING ->
                switch (event) {
                    case COMPLETE, RETURN -> COMPLETING;
                    case DISPATCH -> DISPATCHING;
                    case FAIL, TIMEOUT -> null;
                };
            case COMPLETING, DISPATCHING -> event == Event.RETURN ? ENDED : null;
            case ENDED -> null;
        };
    }

    private static AsyncState decided(Event event) {
        return switch (event) {
            case COMPLETE -> COMPLETING;
            case DISPATCH -> DISPATCHING;
            case FAIL -> FAILING;
            case TIMEOUT -> EXPIRING;
            case RETURN -> throw new IllegalArgumentException("RETURN decides nothing");
        };
    }
}
