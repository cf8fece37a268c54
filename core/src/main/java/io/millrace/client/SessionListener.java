package io.millrace.client;

/** Is notified of state changes of a session, on the connection's thread or that of a caller. Must not block. */
public interface SessionListener {

    /** A request and its response are complete: the session can take another request. */
    void onIdle(ClientSession session);

    /** {@link ClientSession#limit} has changed. */
    default void onLimit(ClientSession session) {}

    /** The session is closed. Called once. */
    void onClosed(ClientSession session);
}
