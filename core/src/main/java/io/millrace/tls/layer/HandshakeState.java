package io.millrace.tls.layer;

/**
 * The states of a handshake, which determine the owner of its connection. In WAITING the transport waits for the peer; in RUNNING
 * one thread reads and drives the engine; in COMPUTING it is queued for a worker. An owner that finds it CLOSED at the end of its
 * step releases the resources; in WAITING there is no owner, so the closing thread releases them.
 *
 * <pre>
 * from       event     to
 * WAITING    READABLE  RUNNING    input may be available
 * RUNNING    NOTHING   WAITING    more input is needed
 * RUNNING    TASK      COMPUTING  a long computation is submitted to the executor
 * COMPUTING  RESUME    RUNNING    a worker continues
 * RUNNING    DONE      DONE       owned by the connection above
 * RUNNING    REFUSE    REFUSED    an alert or a plain HTTP response is being sent
 * any        CLOSE     CLOSED     except DONE and REFUSED, which have other owners
 * </pre>
 */
enum HandshakeState {
    WAITING,
    RUNNING,
    COMPUTING,
    DONE,
    REFUSED,
    CLOSED;

    enum Event {
        READABLE,
        NOTHING,
        TASK,
        RESUME,
        DONE,
        REFUSE,
        CLOSE
    }

    /** The next state. CLOSED is final. */
    static HandshakeState next(HandshakeState from, Event event) {
        if (from == CLOSED) {
            return CLOSED;
        }
        return switch (event) {
            case READABLE -> move(from, event, WAITING, RUNNING);
            case NOTHING -> move(from, event, RUNNING, WAITING);
            case TASK -> move(from, event, RUNNING, COMPUTING);
            case RESUME -> move(from, event, COMPUTING, RUNNING);
            case DONE -> move(from, event, RUNNING, DONE);
            case REFUSE -> move(from, event, RUNNING, REFUSED);
            case CLOSE -> from == DONE || from == REFUSED ? from : CLOSED;
        };
    }

    private static HandshakeState move(HandshakeState from, Event event, HandshakeState only, HandshakeState to) {
        if (from != only) {
            throw new IllegalStateException(from + ", " + event);
        }
        return to;
    }
}
