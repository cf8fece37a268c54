package io.millrace.websocket;

/**
 * How far the closing handshake is (RFC 6455, 7.1).
 *
 * <pre>
 * from             SEND          RECEIVE          END
 * OPEN             CLOSE_SENT    CLOSE_RECEIVED   CLOSED
 * CLOSE_SENT       CLOSE_SENT    CLOSED           CLOSED
 * CLOSE_RECEIVED   CLOSED        CLOSE_RECEIVED   CLOSED
 * CLOSED           CLOSED        CLOSED           CLOSED
 * </pre>
 */
enum CloseState {
    /** Messages go both ways. */
    OPEN,
    /** We wait for the peer's close frame, and read messages until then. */
    CLOSE_SENT,
    /** The peer waits for ours. */
    CLOSE_RECEIVED,
    /** Both were exchanged, or the connection is gone. */
    CLOSED;

    enum Event {
        /** Our close frame is queued. */
        SEND,
        /** The peer's arrived. */
        RECEIVE,
        /** The connection ended, or is given up. */
        END
    }

    static CloseState next(CloseState from, Event event) {
        return switch (event) {
            case SEND -> from == OPEN ? CLOSE_SENT : from == CLOSE_RECEIVED ? CLOSED : from;
            case RECEIVE -> from == OPEN ? CLOSE_RECEIVED : from == CLOSE_SENT ? CLOSED : from;
            case END -> CLOSED;
        };
    }
}
