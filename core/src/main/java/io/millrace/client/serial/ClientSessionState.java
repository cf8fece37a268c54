package io.millrace.client.serial;

import org.jspecify.annotations.Nullable;

/**
 * The state of a client connection that serves one request at a time. Changed by compare-and-set: a request may start at
 * the moment the server closes the connection.
 *
 * <pre>
 * from      event   to
 * IDLE      START   BUSY      a request owns the connection
 * IDLE      ASK     WAITING   the same, but the connection is checked first: the request could not be sent twice
 * IDLE      CALL    CHECKING  the transport calls: unsolicited input, an end, or a spurious call
 * CHECKING  QUIET   IDLE      spurious: the bytes belonged to TLS, a session ticket for example
 * CHECKING  START   WAITING   a request owns the connection, and is sent once the check has found nothing
 * CHECKING  ASK     WAITING   as START
 * WAITING   QUIET   BUSY      the request is sent
 * BUSY      CALL    BUSY      input of the response
 * BUSY      WHOLE   IDLE      request and response are complete
 * any       CLOSE   CLOSED
 * </pre>
 *
 * START and ASK are rejected (null) in CLOSED, BUSY and WAITING. A connection that closes while WAITING has sent nothing.
 */
enum ClientSessionState {
    IDLE,
    CHECKING,
    WAITING,
    BUSY,
    CLOSED;

    /** The events of a connection. */
    enum Event {
        START,
        ASK,
        CALL,
        QUIET,
        WHOLE,
        CLOSE
    }

    /** The next state; null if the event is rejected. */
    static @Nullable ClientSessionState next(ClientSessionState from, Event event) {
        if (from == CLOSED) {
            return event == Event.START || event == Event.ASK ? null : CLOSED;
        }
        return switch (event) {
            case START -> from == IDLE ? BUSY : from == CHECKING ? WAITING : null;
            case ASK -> from == IDLE || from == CHECKING ? WAITING : null;
            case CALL -> from == IDLE ? CHECKING : from;
            case QUIET -> from == CHECKING ? IDLE : from == WAITING ? BUSY : null;
            case WHOLE -> from == BUSY ? IDLE : null;
            case CLOSE -> CLOSED;
        };
    }
}
