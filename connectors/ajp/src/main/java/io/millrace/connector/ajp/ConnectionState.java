package io.millrace.connector.ajp;

import org.jspecify.annotations.Nullable;

/**
 * Who has an AJP connection, and what it waits for. In IDLE, PACKET, BODY, SWALLOWING and LINGERING the transport has it and
 * waits for the front end; in READING the one thread that runs {@link AjpConnection}'s loop; in SERVING the exchange.
 *
 * <pre>
 * from        event           to
 * IDLE        READABLE        READING      perhaps the first octets of a packet
 * PACKET      READABLE        READING      more of it, or its time is up
 * SWALLOWING  READABLE        READING      the body packet that nobody wants any more
 * READING     NOTHING         IDLE         no packet has begun
 * READING     PART_OF_PACKET  PACKET
 * READING     PART_OF_BODY    SWALLOWING   the exchange is over; a body packet it asked for has not come
 * READING     REQUEST         SERVING      a request is whole: dispatched
 * SERVING     AWAIT_BODY      BODY         the exchange waits for its request's body
 * BODY        READABLE        SERVING      more of it, or its time is up
 * SERVING     END             READING      the exchange is over
 * BODY        END             SWALLOWING   the same while the transport still waits for the body
 * READING     LAST            CLOSING      nothing more will be read as a packet
 * CLOSING     SENT            LINGERING    all was sent; input is dropped for a while, so that the front end sees it
 * LINGERING   READABLE        LINGERING
 * any         CLOSE           CLOSED
 * </pre>
 */
enum ConnectionState {
    IDLE,
    PACKET,
    READING,
    SERVING,
    BODY,
    SWALLOWING,
    CLOSING,
    LINGERING,
    CLOSED;

    enum Event {
        READABLE,
        NOTHING,
        PART_OF_PACKET,
        PART_OF_BODY,
        REQUEST,
        AWAIT_BODY,
        END,
        LAST,
        SENT,
        CLOSE
    }

    /** Where the event leads to; null if it must not happen. A closed connection stays closed whatever happens. */
    static @Nullable ConnectionState next(ConnectionState from, Event event) {
        if (from == CLOSED || event == Event.CLOSE) {
            return CLOSED;
        }
        return switch (event) {
            case READABLE -> readable(from);
            case NOTHING -> from == READING ? IDLE : null;
            case PART_OF_PACKET -> from == READING ? PACKET : null;
            case PART_OF_BODY -> from == READING ? SWALLOWING : null;
            case REQUEST -> from == READING ? SERVING : null;
            case AWAIT_BODY -> from == SERVING ? BODY : null;
            case END -> from == SERVING ? READING : from == BODY ? SWALLOWING : null;
            case LAST -> from == READING ? CLOSING : null;
            case SENT -> from == CLOSING ? LINGERING : null;
            case CLOSE -> CLOSED;
        };
    }

    private static @Nullable ConnectionState readable(ConnectionState from) {
        return switch (from) {
            case IDLE, PACKET, SWALLOWING -> READING;
            case BODY -> SERVING;
            case LINGERING -> LINGERING;
            case READING, SERVING, CLOSING, CLOSED -> null;
        };
    }
}
