package io.millrace.websocket;

/**
 * How far the closing handshake is (RFC 6455, 7.1).
 *
 * <pre>
 * from           SEND           WRITTEN      RECEIVE       END
 * OPEN           CLOSE_QUEUED   OPEN         ANSWERING     CLOSED
 * CLOSE_QUEUED   CLOSE_QUEUED   CLOSE_SENT   ANSWERING     CLOSED
 * CLOSE_SENT     CLOSE_SENT     CLOSE_SENT   CLOSED        CLOSED
 * ANSWERING      ANSWERING      CLOSED       ANSWERING     CLOSED
 * CLOSED         CLOSED         CLOSED       CLOSED        CLOSED
 * </pre>
 */
enum CloseState {
    /** Messages go both ways. */
    OPEN,
    /** Our close frame waits to be written; we read messages. */
    CLOSE_QUEUED,
    /** We wait for the peer's close frame, and read messages until then. */
    CLOSE_SENT,
    /** Nothing is read any more; our close frame waits to be written. */
    ANSWERING,
    /** Both were exchanged, or the connection is gone. */
    CLOSED;

    enum Event {
        /** This end closes: its close frame is queued. */
        SEND,
        /** Our close frame was written. */
        WRITTEN,
        /** The peer's close frame arrived, or a violation, after which nothing is read (RFC 6455, 7.1.7). Ours is queued, if it was not. */
        RECEIVE,
        /** The connection ended, or is given up. */
        END
    }

    static CloseState next(CloseState from, Event event) {
        return switch (event) {
            case SEND -> from == OPEN ? CLOSE_QUEUED : from;
            case WRITTEN -> from == CLOSE_QUEUED ? CLOSE_SENT : from == ANSWERING ? CLOSED : from;
            case RECEIVE -> from == OPEN || from == CLOSE_QUEUED ? ANSWERING : from == CLOSE_SENT ? CLOSED : from;
            case END -> CLOSED;
        };
    }

    /** Does what the peer sends still matter? */
    boolean isReading() {
        return this == OPEN || this == CLOSE_QUEUED || this == CLOSE_SENT;
    }
}
