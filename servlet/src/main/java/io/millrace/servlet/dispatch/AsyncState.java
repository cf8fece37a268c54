package io.millrace.servlet.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * The states of one asynchronous cycle, from {@code startAsync} to its {@code complete} or {@code dispatch}. In STARTED, CALLING,
 * EXPIRING and FAILING a thread of the container owns the exchange and may be calling the application.
 *
 * <pre>
 * from         event      to           meaning
 * STARTED      COMPLETE   COMPLETING   decided during the container's call
 * STARTED      DISPATCH   DISPATCHING
 * STARTED      FAIL       FAILING      the application threw, here or in a task of start()
 * STARTED      RETURN     WAITING      no thread owns the exchange
 * WAITING      CALL       CALLING      an I/O listener is called
 * WAITING      COMPLETE   COMPLETING   the deciding thread resumes the exchange
 * WAITING      DISPATCH   DISPATCHING
 * WAITING      TIMEOUT    EXPIRING     listeners are notified
 * WAITING      FAIL       FAILING      a task threw, or the connection was lost
 * CALLING      COMPLETE   COMPLETING   takes effect when the I/O listener has returned
 * CALLING      DISPATCH   DISPATCHING
 * CALLING      FAIL       FAILING      the I/O listener threw, or its stream failed
 * CALLING      RETURN     WAITING
 * EXPIRING     COMPLETE   COMPLETING   a listener, or another thread, decided in time
 * EXPIRING     DISPATCH   DISPATCHING
 * EXPIRING     RETURN     COMPLETING   no decision in time
 * FAILING      COMPLETE   COMPLETING
 * FAILING      DISPATCH   DISPATCHING
 * FAILING      RETURN     COMPLETING
 * COMPLETING   RETURN     ENDED        the response is finished
 * COMPLETING   VOID       ENDED        the servlet threw after it had decided, or the exchange has ended
 * DISPATCHING  RETURN     ENDED        the dispatch begins; it may start a cycle of its own
 * DISPATCHING  VOID       ENDED
 * </pre>
 *
 * All other transitions are refused. The AsyncContext of a cycle in ENDED is stale.
 */
enum AsyncState {
    STARTED,
    WAITING,
    CALLING,
    EXPIRING,
    FAILING,
    COMPLETING,
    DISPATCHING,
    ENDED;

    /** The events of a cycle. */
    enum Event {
        COMPLETE,
        DISPATCH,
        CALL,
        FAIL,
        TIMEOUT,
        RETURN,
        VOID
    }

    /** The state after the event; null if it is refused. */
    static @Nullable AsyncState next(AsyncState from, Event event) {
        return switch (event) {
            case COMPLETE -> from.isDecided() ? null : COMPLETING;
            case DISPATCH -> from.isDecided() ? null : DISPATCHING;
            case CALL -> from == WAITING ? CALLING : null;
            case TIMEOUT -> from == WAITING ? EXPIRING : null;
            case FAIL -> from == STARTED || from == WAITING || from == CALLING ? FAILING : null;
            case RETURN -> afterReturn(from);
            case VOID -> from == COMPLETING || from == DISPATCHING ? ENDED : null;
        };
    }

    /** True once the cycle is to complete or to dispatch, or has ended. */
    boolean isDecided() {
        return this == COMPLETING || this == DISPATCHING || this == ENDED;
    }

    private static @Nullable AsyncState afterReturn(AsyncState from) {
        return switch (from) {
            case STARTED, CALLING -> WAITING;
            case EXPIRING, FAILING -> COMPLETING;
            case COMPLETING, DISPATCHING -> ENDED;
            case WAITING, ENDED -> null;
        };
    }
}
