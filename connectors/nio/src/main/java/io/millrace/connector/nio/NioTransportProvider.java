package io.millrace.connector.nio;

import static io.millrace.io.TransportOptions.LOOP;

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
import io.millrace.io.socket.PolledConnection;
import io.millrace.io.socket.RoundRobin;
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
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Provides the transport {@code nio}: non-blocking sockets served by a few I/O threads, whose event loop is
 * {@link SelectorLoop} or XNIO's.
 */
public final class NioTransportProvider implements TransportProvider {

    private static final String SELECTOR = "selector";
    private static final String XNIO = "xnio";

    private final SharedThreads<SelectorThreads> selectors = new SharedThreads<>(SelectorThreads::new);
    private final SharedThreads<XnioThreads> workers = new SharedThreads<>(XnioThreads::new);

    /** For {@link java.util.ServiceLoader}. */
    public NioTransportProvider() {}

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public List<String> loops() {
        return List.of(SELECTOR, XNIO);
    }

    @Override
    public Transport create(TransportOptions options) {
        boolean onXnio = options.get(LOOP).equals(XNIO);
        return new SocketTransport(
                options,
                (transport, address, onAccept) -> onXnio
                        ? workers.acquire(options, threads -> open(options, threads, transport, address, onAccept))
                        : selectors.acquire(options, threads -> open(options, threads, transport, address, onAccept)));
    }

    private Sockets<PolledConnection> open(
            TransportOptions options,
            SelectorThreads threads,
            SocketTransport transport,
            SocketAddress address,
            Consumer<Connection> onAccept)
            throws IOException {
        RoundRobin<SocketChannel, SelectorLoop> roundRobin = roundRobin(threads, transport);
        Acceptor acceptor = acceptor(options, address, threads.acceptor(), roundRobin.accepting(onAccept));
        return new Sockets<>(acceptor, roundRobin.groups(), threads.pollers(), selectors::release);
    }

    private Sockets<PolledConnection> open(
            TransportOptions options,
            XnioThreads threads,
            SocketTransport transport,
            SocketAddress address,
            Consumer<Connection> onAccept)
            throws IOException {
        RoundRobin<SocketChannel, NioThread> roundRobin = roundRobin(threads, transport);
        Acceptor acceptor = acceptor(options, address, threads.acceptor(), roundRobin.accepting(onAccept));
        return new Sockets<>(acceptor, roundRobin.groups(), threads.pollers(), workers::release);
    }

    @Override
    public Dialer dialer(TransportOptions options) throws IOException {
        return options.get(LOOP).equals(XNIO)
                ? workers.acquire(
                        options,
                        threads -> new SocketDialer<>(options, owner -> {
                            RoundRobin<SocketChannel, NioThread> roundRobin = roundRobin(threads, owner);
                            return parts(options, threads.acceptor(), roundRobin, workers::release);
                        }))
                : selectors.acquire(
                        options,
                        threads -> new SocketDialer<>(options, owner -> {
                            RoundRobin<SocketChannel, SelectorLoop> roundRobin = roundRobin(threads, owner);
                            return parts(options, threads.acceptor(), roundRobin, selectors::release);
                        }));
    }

    private static SocketDialer.Parts<SocketChannel, PolledConnection> parts(
            TransportOptions options,
            SelectorLoop loop,
            RoundRobin<SocketChannel, ?> roundRobin,
            Supplier<CompletionStage<Void>> release) {
        return new SocketDialer.Parts<>(
                loop, new ChannelConnectSource(options, loop), roundRobin, roundRobin.groups(), release);
    }

    private static RoundRobin<SocketChannel, SelectorLoop> roundRobin(SelectorThreads threads, ConnectionOwner owner) {
        return new RoundRobin<>(threads.pollers(), owner, SelectorSocket::new);
    }

    private static RoundRobin<SocketChannel, NioThread> roundRobin(XnioThreads threads, ConnectionOwner owner) {
        List<NioThread> pollers = threads.pollers();
        SocketAdoption adoption = new SocketAdoption(pollers.get(0).thread().getClass());
        return new RoundRobin<>(
                pollers, owner, (socket, poller) -> new XnioSocket(socket, adoption.adopt(socket, poller.thread())));
    }

    private static Acceptor acceptor(
            TransportOptions options, SocketAddress address, SelectorLoop loop, Consumer<SocketChannel> onAccept)
            throws IOException {
        ServerSocketChannel listening = ListeningSocket.onAny(address, options);
        ChannelAcceptSource source = new ChannelAcceptSource(listening, options, loop);
        return new Acceptor(source, options, loop, onAccept);
    }
}
