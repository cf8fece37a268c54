package io.millrace.connector.nio2;

import io.millrace.io.Connection;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.ConnectionGroup;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Sockets;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Consumer;

/** Offers the transport {@code nio2}: asynchronous channels served by a few I/O threads. */
public final class Nio2TransportProvider implements TransportProvider {

    private final SharedThreads<IoGroup> groups = new SharedThreads<>(IoGroup::start);

    /** For {@link java.util.ServiceLoader}. */
    public Nio2TransportProvider() {}

    @Override
    public String name() {
        return "nio2";
    }

    @Override
    public Transport create(TransportOptions options) {
        return new SocketTransport(
                options,
                (transport, address, onAccept) ->
                        groups.acquire(options, group -> open(options, group, transport, address, onAccept)));
    }

    private Sockets<Nio2Connection> open(
            TransportOptions options,
            IoGroup group,
            SocketTransport transport,
            SocketAddress address,
            Consumer<Connection> onAccept)
            throws IOException {
        ConnectionGroup<Nio2Connection> connections = new ConnectionGroup<>(group::later);
        ConnectionFactory newcomers = new ConnectionFactory(transport, connections.connections(), group, onAccept);
        Nio2AcceptSource source = new Nio2AcceptSource(address, options, group);
        Acceptor acceptor = new Acceptor(source, options, group.acceptor(), newcomers);
        return new Sockets<>(acceptor, List.of(connections), groups::release);
    }
}
