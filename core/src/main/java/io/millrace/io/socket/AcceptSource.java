package io.millrace.io.socket;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A bound listening socket, of whatever kind. All but the address is confined to the thread of its {@link Acceptor}.
 *
 * @param <S> the sockets that are accepted
 */
public interface AcceptSource<S extends Closeable> {

    /** The local address. Any thread. */
    SocketAddress address();

    /**
     * Called before all else.
     *
     * @param onPending called on this thread when a connection may be pending
     */
    void open(Runnable onPending) throws IOException;

    /** Turns the notification of pending connections on or off; one more may follow after it was turned off. */
    void watch(boolean wanted) throws IOException;

    /**
     * Accepts a pending connection; null if there is none.
     *
     * @throws IOException if accepting fails, perhaps only for now
     */
    @Nullable
    S accept() throws IOException;

    /** Sets the socket options, and non-blocking mode where the transport needs it. */
    void configure(S accepted) throws IOException;

    /** Closes the listening socket. Called once, also if it was never opened. */
    void close();
}
