package io.millrace.client;

import io.millrace.io.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** Is notified of state changes of a session, on the connection's thread or that of a caller. Must not block. */
public interface SessionListener {

    /**
     * A request and its response are complete: the session can take another request.
     *
     * @param client the request's {@link ClientRequest#client}
     */
    void onIdle(ClientSession session, @Nullable ConnectionInfo client);

    /** {@link ClientSession#limit} has changed. */
    default void onLimit(ClientSession session) {}

    /** The session is closed. Called once. */
    void onClosed(ClientSession session);
}
