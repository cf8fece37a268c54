package io.millrace.protocol.serial;

import org.jspecify.annotations.Nullable;

/**
 * Who owns a serial connection, and what it waits for. In IDLE, HEAD, BODY, SWALLOWING and LINGERING the transport owns it
 * and waits for the peer; in READING the one thread that runs {@link SerialConnection}'s loop; in SERVING the exchange.
 *
 * <pre>
 * from        event         to
 * IDLE        READABLE      READING      perhaps the first bytes of a request
 * HEAD        READABLE      READING      more of a head, or its time is up
 * SWALLOWING  READABLE      READING      more of a body that is discarded
 * READING     NOTHING       IDLE         no head has begun
 * READING     PART_OF_HEAD  HEAD
 * READING     PART_OF_BODY  SWALLOWING   the exchange is over, or the request refused; its body is still to come
 * READING     REQUEST       SERVING      a head is whole: dispatched
 * SERVING     AWAIT_BODY    BODY         the exchange waits for its request's body
 * BODY        READABLE      SERVING      more of it, or its time is up
 * SERVING     END           READING      the exchange is over
 * BODY        END           SWALLOWING   the same while the transport still waits for the body
 * SERVING     SWITCH        SWITCHING    another protocol gets the connection, once the transport has given the input back
 * SWITCHING   READABLE      SWITCHED     it has it
 * READING     LAST          CLOSING      the last response is being sent, nothing more will be read as a request
 * CLOSING     SENT          LINGERING    it was sent; input is dropped for a while, so that the peer sees the response
 * LINGERING   READABLE      LINGERING
 * any         CLOSE         CLOSED       except SWITCHED: the connection now belongs to the next protocol
 * </pre>
 */
enum ConnectionState {
    IDLE,
    HEAD,
    READING,
    SERVING,
    BODY,
    SWALLOWING,
    CLOSING,
    LINGERING,
    SWITCHING,
    SWITCHED,
    CLOSED;

    enum Event {
        READABLE,
        NOTHING,
        PART_OF_HEAD,
        PART_OF_BODY,
        REQUEST,
        AWAIT_BODY,
        END,
        SWITCH,
        LAST,
        SENT,
        CLOSE
    }

    /** Where the event leads to; null if it must not happen. A closed connection stays closed whatever happens. */
    static @Nullable ConnectionState next(ConnectionState from, Event event) {
        if (from == CLOSED || event == Event.CLOSE) {
            return from == SWITCHED ? SWITCHED : CLOSED;
        }
        return switch (event) {
            case READABLE -> readable(from);
            case NOTHING -> from == READING ? IDLE : null;
            case PART_OF_HEAD -> from == READING ? HEAD : null;
            case PART_OF_BODY -> from == READING ? SWALLOWING : null;
            case REQUEST -> from == READING ? SERVING : null;
            case AWAIT_BODY -> from == SERVING ? BODY : null;
            case END -> end(from);
            case SWITCH -> from == SERVING ? SWITCHING : null;
            case LAST -> from == READING ? CLOSING : null;
            case SENT -> from == CLOSING ? LINGERING : null;
            case CLOSE -> CLOSED;
        };
    }

    private static @Nullable ConnectionState end(ConnectionState from) {
        return switch (from) {
            case SERVING -> READING;
            case BODY -> SWALLOWING;
            default -> null;
        };
    }

    private static @Nullable ConnectionState readable(ConnectionState from) {
        return switch (from) {
            case IDLE, HEAD, SWALLOWING -> READING;
            case BODY -> SERVING;
            case LINGERING -> LINGERING;
            case SWITCHING -> SWITCHED;
            case READING, SERVING, CLOSING, SWITCHED, CLOSED -> null;
        };
    }
}
