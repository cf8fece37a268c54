package io.millrace.io;

import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Accepts connections on one address and hands each one over. */
public interface Transport {

    /**
     * Binds and starts accepting.
     *
     * @param address where; port 0 picks a free one. Some transports take a Unix domain socket's address or {@link
     *     InheritedAddress} as well
     * @param onAccept called on the new connection's own thread, which must install a handler before it returns
     * @return the address bound
     * @throws IOException naming the address, if it cannot be bound
     * @throws IllegalArgumentException (UnsupportedAddressTypeException) if it is of a kind the transport does not know
     */
    SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException;

    /** Stops accepting; what is connected stays. New connections wait in the backlog. */
    void pause();

    /** Accepts again. */
    void resume();

    /**
     * Closes the listening socket, drains every connection, waits until all are closed or the grace is over, then
     * cuts the rest.
     *
     * @return done when no connection and no thread of this transport is left
     */
    CompletionStage<Void> stop(Duration grace);

    /** Connections open now. */
    int connections();
}
