package io.millrace.client;

import io.millrace.io.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** A connection to a server, kept from one request to the next. Any thread. */
public interface ClientSession {

    /**
     * Sends a request's head. Called once, by the owner that a {@link SessionPool} gave the session to. The listener may be
     * called before this returns.
     *
     * @return null if the peer has closed the connection meanwhile: nothing was sent, and the listener learns nothing. A listener that
     *     learns of CLOSED with {@link ClientException.Processed#NO} may ask for another session just as well
     */
    @Nullable
    ClientStream start(ClientRequest request, ResponseListener listener);

    /** Waits for a request? */
    boolean isIdle();

    /** Has it served a request before? Then the peer may have ended it for being idle, which is no failure. */
    default boolean isKept() {
        return false;
    }

    /** How many requests it takes at a time: as long as it is open, 1 where they follow one another; 0 if it takes no more. */
    default int limit() {
        return 1;
    }

    /** Closes the connection now, a request that is under way included. */
    void close(@Nullable Throwable cause);

    /** Addresses and TLS session. */
    ConnectionInfo info();
}
