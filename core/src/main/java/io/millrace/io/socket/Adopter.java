package io.millrace.io.socket;

import io.millrace.io.Connection;
import java.util.function.Consumer;

/**
 * Makes connections of sockets that are connected and configured. On the accept thread.
 *
 * @param <S> the sockets
 */
public interface Adopter<S> {

    /**
     * Takes over a socket. What fails here is thrown, and the caller closes the socket; what fails later counts it off at its
     * {@link ConnectionOwner}.
     *
     * @param onOpen gets the connection, on its thread
     * @param onFailed called instead if there is no connection; on any thread
     */
    void adopt(S socket, Consumer<Connection> onOpen, Consumer<Throwable> onFailed);

    /** For an acceptor: all its connections go to one place, and failed ones need no notice. */
    default Consumer<S> accepting(Consumer<Connection> onAccept) {
        return socket -> adopt(socket, onAccept, gone -> {});
    }
}
