package io.millrace.io.socket;

import io.millrace.io.Connection;
import java.util.function.Consumer;

/**
 * Creates connections for sockets that are connected and configured. Called on the accept thread.
 *
 * @param <S> the type of sockets
 */
public interface Adopter<S> {

    /**
     * Takes ownership of a socket. If this method throws, the caller closes the socket; later failures are reported to
     * the {@link ConnectionOwner}.
     *
     * @param onOpen receives the connection, on its thread
     * @param onFailed called instead if there is no connection; on any thread
     */
    void adopt(S socket, Consumer<Connection> onOpen, Consumer<Throwable> onFailed);

    /** For an acceptor: passes all connections to one consumer; failures need no notification. */
    default Consumer<S> accepting(Consumer<Connection> onAccept) {
        return socket -> adopt(socket, onAccept, failure -> {});
    }
}
