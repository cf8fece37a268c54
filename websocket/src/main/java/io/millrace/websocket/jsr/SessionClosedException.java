package io.millrace.websocket.jsr;

/** Thrown by methods of a session that has ended (JSR 356, Session): the peer may close it at any time. */
final class SessionClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** @param id of the session */
    SessionClosedException(long id) {
        super("session " + Long.toHexString(id) + " is closed; only close() and isOpen() may still be called");
    }
}
