package io.millrace.client;

/** Notified of changes of a session, on the connection's thread or a caller's. Must not block. */
public interface SessionListener {

    /** A request and its response are whole: the session can take the next. */
    void onIdle(ClientSession session);

    /** {@link ClientSession#limit} has changed. */
    default void onLimit(ClientSession session) {}

    /** It is closed, and takes no more. Once. */
    void onClosed(ClientSession session);
}
