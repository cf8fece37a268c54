package io.millrace.proxy;

import org.jspecify.annotations.Nullable;

/**
 * The states of a request through the proxy, changed by compare-and-set: the client may disconnect, or its body be malformed, while the
 * backend responds.
 *
 * <pre>
 * from       event   to
 * CHOOSING   START   REQUESTED   a connection is available; the request's head is being sent
 * REQUESTED  RETRY   CHOOSING    no response; another backend may be tried
 * REQUESTED  HEAD    ANSWERING   the response's head was received; this thread forwards the response
 * REQUESTED  SWITCH  TUNNELLING  the backend has switched protocols
 * TUNNELLING END     TUNNELLING  the exchange has ended; the backend's stream belongs to the tunnel, which is another exchange
 * any other  END     OVER        complete, aborted, or the client disconnected
 * </pre>
 *
 * If no connection is available, another backend is tried, or an error sent, in CHOOSING. Other events are rejected (null), as in OVER:
 * the thread was too late, and releases what it holds.
 */
enum RelayState {
    CHOOSING,
    REQUESTED,
    ANSWERING,
    TUNNELLING,
    OVER;

    /** The events of a request. */
    enum Event {
        START,
        RETRY,
        HEAD,
        SWITCH,
        END
    }

    /** The next state; null if the event is rejected. */
    static @Nullable RelayState next(RelayState from, Event event) {
        return switch (event) {
            case START -> from == CHOOSING ? REQUESTED : null;
            case RETRY -> from == REQUESTED ? CHOOSING : null;
            case HEAD -> from == REQUESTED ? ANSWERING : null;
            case SWITCH -> from == REQUESTED ? TUNNELLING : null;
            case END -> from == OVER ? null : from == TUNNELLING ? TUNNELLING : OVER;
        };
    }
}
