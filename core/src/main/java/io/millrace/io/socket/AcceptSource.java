package io.millrace.io.socket;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A bound listening socket of any kind. Except for the address, confined to the thread of its {@link Acceptor}.
 *
 * @param <S> the type of accepted sockets
 */
public interface AcceptSource<S extends Closeable> {

    /** The local address. Safe to call from any thread. */
    SocketAddress address();

    /**
     * Called before all other methods.
     *
     * @param onPending called on this thread when a connection may be pending
     */
    void open(Runnable onPending) throws IOException;

    /** Turns the notification of pending connections on or off; one more may follow after it was turned off. */
    void watch(boolean wanted) throws IOException;

    /**
     * Accepts a pending connection; null if there is none.
     *
     * @throws IOException if accepting fails, possibly only temporarily
     */
    @Nullable
    S accept() throws IOException;

    /** Sets the socket options, and non-blocking mode where the transport needs it. */
    void configure(S accepted) throws IOException;

    /** Closes the listening socket. Called once, also if it was never opened. */
    void close();
}
