package io.millrace.io;

import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Accepts connections on one address. Thread-safe. */
public interface Transport {

    /**
     * Binds a listening socket and starts accepting.
     *
     * @param address the address to listen on; port 0 picks a free port. Some transports also support Unix domain
     *     sockets and {@link InheritedAddress}
     * @param onAccept called with each new connection, on its own thread; must install a handler before it returns and
     *     start it
     * @return the address that was bound
     * @throws IOException if the address cannot be bound; the message names it
     * @throws IllegalArgumentException (UnsupportedAddressTypeException) if the transport does not support this kind of
     *     address
     */
    SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException;

    /** Stops accepting; open connections are not affected, and new ones wait in the backlog. */
    void pause();

    /** Resumes accepting. */
    void resume();

    /**
     * Stops the transport: closes the listening socket, drains all connections, and closes those that are still open
     * after the grace period. A further call shortens the grace period, if the new one ends earlier.
     *
     * @return completed when no connection and no thread of this transport is left
     */
    CompletionStage<Void> stop(Duration grace);

    /**
     * Asks whether its threads are alive. Does not block.
     *
     * @return completed when its accept thread and each I/O thread have run a task; later or never while one of them hangs
     */
    default CompletionStage<Void> ping() {
        return CompletableFuture.completedFuture(null);
    }

    /** The number of open connections. */
    int connections();

    /** The number of open connections that wait for input, with a timeout. Costs a look at each. */
    default int idle() {
        return 0;
    }

    /** The open connections that it can name; may be called by any thread. */
    default List<OpenConnection> open() {
        return List.of();
    }
}
