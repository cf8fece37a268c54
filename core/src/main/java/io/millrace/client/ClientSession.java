package io.millrace.client;

import io.millrace.io.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** A connection to a server, kept open between requests. Thread-safe. */
public interface ClientSession {

    /**
     * Starts a request. Called once by the owner to whom a {@link SessionPool} gave the session. The listener may be
     * called before this method returns.
     *
     * @return null if the peer has closed the connection meanwhile: nothing was sent, and the listener is not called.
     *     After a failure with {@link ClientException.Reason#CLOSED} and {@link ClientException.Processed#NO}, the caller
     *     may equally ask for another session
     */
    @Nullable
    ClientStream start(ClientRequest request, ResponseListener listener);

    /** Whether no request is in progress. */
    boolean isIdle();

    /**
     * Whether the connection has served a request before. The peer may then have closed it because it was idle, which is
     * not a failure.
     */
    default boolean isKept() {
        return false;
    }

    /**
     * The maximum number of concurrent requests: 1 for a protocol that serves one at a time; 0 if the session accepts no
     * more.
     */
    default int limit() {
        return 1;
    }

    /** Closes the connection when its requests have ended and what is unsent was sent. */
    default void retire() {
        if (isIdle()) {
            close(null);
        }
    }

    /** Closes the connection immediately, even if a request is in progress. */
    void close(@Nullable Throwable cause);

    /** Addresses and TLS session. */
    ConnectionInfo info();
}
