package io.millrace.io.socket;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;

/**
 * Connects sockets of one kind. Confined to one thread, on which outcomes are reported as well.
 *
 * @param <S> the type of sockets
 */
public interface ConnectSource<S extends Closeable> {

    /**
     * The outcome of an attempt: exactly one call, after {@link #connect} has returned.
     *
     * @param <S> the type of sockets
     */
    interface Outcome<S> {

        /** The socket is connected and configured; the callee owns it. */
        void connected(S socket);

        /** The attempt failed. */
        void failed(Throwable cause);
    }

    /** An attempt in progress. */
    interface Attempt {

        /** Closes the socket; no outcome is reported any more. Has no effect after one has been reported. */
        void abandon();
    }

    /**
     * Starts to connect.
     *
     * @throws IOException if that fails immediately, like any other exception; no outcome follows
     */
    Attempt connect(SocketAddress to, Outcome<? super S> outcome) throws IOException;
}
