package io.millrace.io.socket;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;

/**
 * Connects sockets of one kind. Confined to one thread, on which outcomes are reported too.
 *
 * @param <S> the sockets
 */
public interface ConnectSource<S extends Closeable> {

    /**
     * How an attempt ended: one call, once, after {@link #connect} has returned.
     *
     * @param <S> the sockets
     */
    interface Outcome<S> {

        /** With a socket, which is the listener's from now on, configured. */
        void connected(S socket);

        /** Without one. */
        void failed(Throwable cause);
    }

    /** An attempt under way. */
    interface Attempt {

        /** Closes the socket; no outcome is reported any more. Has no effect once one was. */
        void abandon();
    }

    /**
     * Begins to connect.
     *
     * @throws IOException if that fails at once, as all else that is thrown: no outcome follows
     */
    Attempt connect(SocketAddress to, Outcome<? super S> outcome) throws IOException;
}
