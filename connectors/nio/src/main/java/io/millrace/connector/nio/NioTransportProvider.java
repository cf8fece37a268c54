package io.millrace.connector.nio;

import io.millrace.io.Connection;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.ChannelEntrance;
import io.millrace.io.socket.ListeningSocket;
import io.millrace.io.socket.PolledConnection;
import io.millrace.io.socket.RoundRobin;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Sockets;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Consumer;

/** Offers the transport {@code nio}: non-blocking sockets served by a few I/O threads, on XNIO. */
public final class NioTransportProvider implements TransportProvider {

    private final SharedThreads<XnioThreads> shared = new SharedThreads<>(XnioThreads::new);

    /** For {@link java.util.ServiceLoader}. */
    public NioTransportProvider() {}

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public Transport create(TransportOptions options) {
        return new SocketTransport(
                options,
                (transport, address, onAccept) ->
                        shared.acquire(options, threads -> open(options, threads, transport, address, onAccept)));
    }

    private Sockets<PolledConnection> open(
            TransportOptions options,
            XnioThreads threads,
            SocketTransport transport,
            SocketAddress address,
            Consumer<Connection> onAccept)
            throws IOException {
        List<NioThread> pollers = threads.pollers();
        SocketAdoption adoption = new SocketAdoption(pollers.get(0).thread().getClass());
        RoundRobin<SocketChannel, NioThread> newcomers = new RoundRobin<>(
                pollers,
                transport,
                (socket, poller) -> new XnioSocket(socket, adoption.adopt(socket, poller.thread())),
                onAccept);
        ServerSocketChannel listening = ListeningSocket.onAny(address, options);
        ChannelEntrance entrance = new ChannelEntrance(listening, options, threads.watcher());
        Acceptor acceptor = new Acceptor(entrance, options, threads.watcher(), newcomers);
        return new Sockets<>(acceptor, newcomers.crews(), shared::release);
    }
}
