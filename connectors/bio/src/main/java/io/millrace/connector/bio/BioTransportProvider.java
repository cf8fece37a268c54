package io.millrace.connector.bio;

import io.millrace.io.Connection;
import io.millrace.io.Dialer;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.ChannelAcceptSource;
import io.millrace.io.socket.ChannelConnectSource;
import io.millrace.io.socket.ConnectionOwner;
import io.millrace.io.socket.ListeningSocket;
import io.millrace.io.socket.SelectorLoop;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.SocketDialer;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Sockets;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Provides the transport {@code bio}: one thread for each busy connection, virtual on Java 21 and later. */
public final class BioTransportProvider implements TransportProvider {

    private final SharedThreads<SelectorLoop> shared =
            new SharedThreads<>((name, one) -> SelectorLoop.start(name + "-selector"));

    /** For {@link java.util.ServiceLoader}. */
    public BioTransportProvider() {}

    @Override
    public String name() {
        return "bio";
    }

    /**
     * @throws IllegalStateException if the options require virtual threads and this Java has none
     */
    @Override
    public Transport create(TransportOptions options) {
        return create(options, Threads.of(options));
    }

    /** With these threads, which it ends. */
    Transport create(TransportOptions options, Threads threads) {
        return new SocketTransport(
                options,
                (transport, address, onAccept) ->
                        shared.acquire(options, loop -> open(options, threads, loop, transport, address, onAccept)));
    }

    private Sockets<BioConnection> open(
            TransportOptions options,
            Threads threads,
            SelectorLoop loop,
            SocketTransport transport,
            SocketAddress address,
            Consumer<Connection> onAccept)
            throws IOException {
        BioConnections connections = new BioConnections(threads, loop, transport);
        ServerSocketChannel listening = ListeningSocket.onPort(address, options);
        ChannelAcceptSource source = new ChannelAcceptSource(listening, options, loop);
        Acceptor acceptor = new Acceptor(source, options, loop, connections.accepting(onAccept));
        return new Sockets<>(acceptor, List.of(connections.group()), List.of(), () -> release(threads));
    }

    @Override
    public Dialer dialer(TransportOptions options) throws IOException {
        return dialer(options, Threads.of(options));
    }

    /** With these threads, which it ends. */
    Dialer dialer(TransportOptions options, Threads threads) throws IOException {
        return shared.acquire(
                options, loop -> new SocketDialer<>(options, owner -> parts(options, threads, loop, owner)));
    }

    private SocketDialer.Parts<SocketChannel, BioConnection> parts(
            TransportOptions options, Threads threads, SelectorLoop loop, ConnectionOwner owner) {
        BioConnections connections = new BioConnections(threads, loop, owner);
        ChannelConnectSource source = new ChannelConnectSource(options, loop);
        return new SocketDialer.Parts<>(
                loop, source, connections, List.of(connections.group()), () -> release(threads));
    }

    private CompletionStage<Void> release(Threads threads) {
        CompletableFuture<Void> released = new CompletableFuture<>();
        threads.end(() -> shared.release().thenRun(() -> released.complete(null)));
        return released;
    }
}
