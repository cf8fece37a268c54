package io.millrace.connector.nio2;

import io.millrace.io.Connection;
import io.millrace.io.Dialer;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.ConnectionGroup;
import io.millrace.io.socket.ConnectionOwner;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.SocketDialer;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Sockets;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.List;
import java.util.function.Consumer;

/** Provides the transport {@code nio2}: asynchronous channels served by a few I/O threads. */
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
        ConnectionFactory factory = new ConnectionFactory(transport, connections.connections(), group);
        Nio2AcceptSource source = new Nio2AcceptSource(address, options, group);
        Acceptor acceptor = new Acceptor(source, options, group.acceptor(), factory.accepting(onAccept));
        return new Sockets<>(acceptor, List.of(connections), List.of(group::whilePolling), groups::release);
    }

    @Override
    public Dialer dialer(TransportOptions options) throws IOException {
        return groups.acquire(options, group -> new SocketDialer<>(options, owner -> parts(options, group, owner)));
    }

    private SocketDialer.Parts<AsynchronousSocketChannel, Nio2Connection> parts(
            TransportOptions options, IoGroup group, ConnectionOwner owner) {
        ConnectionGroup<Nio2Connection> connections = new ConnectionGroup<>(group::later);
        ConnectionFactory factory = new ConnectionFactory(owner, connections.connections(), group);
        return new SocketDialer.Parts<>(
                group.acceptor(),
                new Nio2ConnectSource(options, group),
                factory,
                List.of(connections),
                groups::release);
    }
}
