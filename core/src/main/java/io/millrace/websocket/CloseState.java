package io.millrace.websocket;

/**
 * The states of a connection's closing handshake (RFC 6455, 7.1).
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
    /** Messages are sent and received. */
    OPEN,
    /** Our close frame is pending; messages are read. */
    CLOSE_QUEUED,
    /** Our close frame was written; messages are read until the peer's close frame arrives. */
    CLOSE_SENT,
    /** Nothing is read any more; our close frame is pending. */
    ANSWERING,
    /** Both close frames were exchanged, or the connection is lost. */
    CLOSED;

    enum Event {
        /** This end closes: its close frame is queued. */
        SEND,
        /** Our close frame was written. */
        WRITTEN,
        /** The peer's close frame arrived, or it violated the protocol (RFC 6455, 7.1.7). Our close frame is queued, unless it was before. */
        RECEIVE,
        /** The connection broke or was aborted. */
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

    /** Is input still processed? */
    boolean isReading() {
        return this == OPEN || this == CLOSE_QUEUED || this == CLOSE_SENT;
    }
}
