package io.millrace.protocol.serial;

import org.jspecify.annotations.Nullable;

/**
 * The owner of a serial connection, and what it waits for. In IDLE, HEAD, BODY, SWALLOWING and LINGERING the transport
 * owns it and waits for the peer; in READING the thread that runs the loop of {@link SerialConnection}; in SERVING the
 * exchange.
 *
 * <pre>
 * from        event         to
 * IDLE        READABLE      READING      possibly the first bytes of a request
 * HEAD        READABLE      READING      more of a head, or a timeout
 * SWALLOWING  READABLE      READING      more of a body that is discarded
 * READING     NOTHING       IDLE         no head has begun
 * READING     PART_OF_HEAD  HEAD
 * READING     PART_OF_BODY  SWALLOWING   the exchange has ended, or the request was rejected; its body is still to come
 * READING     REQUEST       SERVING      the head is complete, and dispatched
 * SERVING     AWAIT_BODY    BODY         the exchange waits for the body of its request
 * BODY        READABLE      SERVING      more of it, or a timeout
 * SERVING     END           READING      the exchange has ended
 * BODY        END           SWALLOWING   the exchange has ended, while the transport still waits for the body
 * SERVING     SWITCH        SWITCHING    another protocol gets the connection, once the transport has returned the input
 * SWITCHING   READABLE      SWITCHED     it has the connection
 * READING     LAST          CLOSING      the last response is being sent, no further request is read
 * CLOSING     SENT          LINGERING    it was sent; input is discarded for a while, so that the peer receives the response
 * LINGERING   READABLE      LINGERING
 * any         CLOSE         CLOSED       except SWITCHED: the connection belongs to the next protocol
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

    /** The next state; null if the event is illegal. A closed connection remains closed. */
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
