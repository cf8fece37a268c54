package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.Apr;
import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.io.Connection;
import io.millrace.io.Dialer;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.ConnectionOwner;
import io.millrace.io.socket.PolledConnection;
import io.millrace.io.socket.RoundRobin;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.SocketDialer;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Sockets;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.Consumer;

/** The implementation of {@link AprTransportProvider}, for Java 22 and later: transports that share their pollers. */
final class AprTransports implements TransportProvider {

    private final SharedThreads<Pollers> shared = new SharedThreads<>(Pollers::new);

    @Override
    public String name() {
        return "apr";
    }

    @Override
    public Transport create(TransportOptions options) {
        require();
        return new SocketTransport(
                options,
                (transport, address, onAccept) ->
                        shared.acquire(options, pollers -> open(options, pollers, transport, address, onAccept)));
    }

    private Sockets<PolledConnection> open(
            TransportOptions options,
            Pollers pollers,
            SocketTransport transport,
            SocketAddress address,
            Consumer<Connection> onAccept)
            throws IOException {
        RoundRobin<AprSocket, Poller> roundRobin = roundRobin(pollers, transport);
        Poller thread = pollers.acceptor();
        AprAcceptSource source = new AprAcceptSource(address, options, thread.pollset());
        Acceptor acceptor = new Acceptor(source, options, thread, roundRobin.accepting(onAccept));
        return new Sockets<>(acceptor, roundRobin.groups(), shared::release);
    }

    @Override
    public Dialer dialer(TransportOptions options) throws IOException {
        require();
        return shared.acquire(options, pollers -> new SocketDialer<>(options, owner -> parts(options, pollers, owner)));
    }

    private SocketDialer.Parts<AprSocket, PolledConnection> parts(
            TransportOptions options, Pollers pollers, ConnectionOwner owner) {
        RoundRobin<AprSocket, Poller> roundRobin = roundRobin(pollers, owner);
        Poller thread = pollers.acceptor();
        AprConnectSource source = new AprConnectSource(options, thread.pollset());
        return new SocketDialer.Parts<>(thread, source, roundRobin, roundRobin.groups(), shared::release);
    }

    private static RoundRobin<AprSocket, Poller> roundRobin(Pollers pollers, ConnectionOwner owner) {
        return new RoundRobin<>(
                pollers.all(),
                owner,
                (socket, poller) -> new AprPolledSocket(socket, poller.pollset(), owner.buffers()));
    }

    @Override
    public String describe() {
        return "APR " + require();
    }

    private static String require() {
        try {
            return Apr.require();
        } catch (IllegalStateException missing) {
            throw new IllegalStateException("the transport 'apr' cannot work here: " + missing.getMessage(), missing);
        }
    }
}
