package io.millrace.proxy;

import org.jspecify.annotations.Nullable;

/**
 * How far a request through the proxy is. Moved by compare-and-set: a client may leave, and its body turn out to be malformed, in the
 * moment in which the backend answers.
 *
 * <pre>
 * from       event   to
 * CHOOSING   START   ASKED       a connection was found, and the request's head is on its way
 * ASKED      RETRY   CHOOSING    there was no response, and another backend may be asked
 * ASKED      HEAD    ANSWERING   the response's head came: the response is this thread's
 * ASKED      SWITCH  TUNNELLING  the backend has switched protocols
 * any        END     OVER        answered, cut, or the client is gone
 * </pre>
 *
 * A connection that is not found is tried again, or answered for, in CHOOSING. What else is tried, in OVER for example, is refused
 * (null): whoever tries it has come too late, and gives up what he holds.
 */
enum RelayState {
    CHOOSING,
    ASKED,
    ANSWERING,
    TUNNELLING,
    OVER;

    /** What happens to a request. */
    enum Event {
        START,
        RETRY,
        HEAD,
        SWITCH,
        END
    }

    /** Where the event leads; null if it is refused. */
    static @Nullable RelayState next(RelayState from, Event event) {
        return switch (event) {
            case START -> from == CHOOSING ? ASKED : null;
            case RETRY -> from == ASKED ? CHOOSING : null;
            case HEAD -> from == ASKED ? ANSWERING : null;
            case SWITCH -> from == ASKED ? TUNNELLING : null;
            case END -> from == OVER ? null : OVER;
        };
    }
}
