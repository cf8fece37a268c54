package io.millrace.tls.layer;

/**
 * Who has a connection during its handshake. In WAITING the transport has it and waits for the client; in RUNNING one thread
 * reads and drives the engine; in COMPUTING it is on its way to another thread, which may take its time. Who finds it
 * CLOSED when his own part is over gives back what it held; in WAITING no thread owns it, so the closing thread does that.
 *
 * <pre>
 * from       event     to
 * WAITING    READABLE  RUNNING    perhaps more of the client's messages
 * RUNNING    NOTHING   WAITING    more input is needed
 * RUNNING    TASK      COMPUTING  a long computation goes to the executor
 * COMPUTING  RESUME    RUNNING    the executor's thread has it
 * RUNNING    DONE      DONE       the connection above has it
 * RUNNING    REFUSE    REFUSED    an alert or a plain answer is being sent
 * any        CLOSE     CLOSED     DONE and REFUSED excepted, where others have it
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

    /** Where the event leads to. A closed handshake stays closed whatever happens. */
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
