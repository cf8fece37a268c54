package io.millrace.client.serial;

import org.jspecify.annotations.Nullable;

/**
 * Whose a client's connection is. Moved by compare-and-set: a request may begin in the moment in which the server closes.
 *
 * <pre>
 * from      event   to
 * IDLE      START   BUSY      a request has it
 * IDLE      CALL    CHECKING  the transport calls: there is input that answers nothing, an end, or nothing
 * CHECKING  QUIET   IDLE      nothing: what came was of TLS itself, a session ticket for example
 * CHECKING  START   WAITING   a request has it, and is sent when it is known that nothing came
 * WAITING   QUIET   BUSY      the request is sent
 * BUSY      CALL    BUSY      the response
 * BUSY      WHOLE   IDLE      request and response are whole
 * any       CLOSE   CLOSED
 * </pre>
 *
 * START is refused in CLOSED (null). A connection that closes while it is WAITING has sent nothing.
 */
enum ClientSessionState {
    IDLE,
    CHECKING,
    WAITING,
    BUSY,
    CLOSED;

    /** What happens to it. */
    enum Event {
        START,
        CALL,
        QUIET,
        WHOLE,
        CLOSE
    }

    /** Where the event leads; null if it is refused. */
    static @Nullable ClientSessionState next(ClientSessionState from, Event event) {
        if (from == CLOSED) {
            return event == Event.START ? null : CLOSED;
        }
        return switch (event) {
            case START -> from == IDLE ? BUSY : from == CHECKING ? WAITING : null;
            case CALL -> from == IDLE ? CHECKING : from;
            case QUIET -> from == CHECKING ? IDLE : from == WAITING ? BUSY : null;
            case WHOLE -> from == BUSY ? IDLE : null;
            case CLOSE -> CLOSED;
        };
    }
}
