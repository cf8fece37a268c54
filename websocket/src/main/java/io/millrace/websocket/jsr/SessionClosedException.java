package io.millrace.websocket.jsr;

/** A session is used that has ended (JSR 356, Session): the peer may have closed it at any time. */
final class SessionClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** @param id of the session */
    SessionClosedException(long id) {
        super("session " + Long.toHexString(id) + " is closed; only close() and isOpen() may be called any more");
    }
}
