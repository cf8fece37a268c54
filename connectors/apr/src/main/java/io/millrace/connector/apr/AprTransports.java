package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.Apr;
import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.io.Connection;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.PolledConnection;
import io.millrace.io.socket.RoundRobin;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Sockets;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.Consumer;

/** What {@link AprTransportProvider} offers where Java can do it: transports that share their pollers. */
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
        RoundRobin<AprSocket, Poller> newcomers = new RoundRobin<>(
                pollers.all(),
                transport,
                (socket, poller) -> new AprPolledSocket(socket, poller.pollset(), transport.buffers()),
                onAccept);
        Poller thread = pollers.acceptor();
        AprAcceptSource source = new AprAcceptSource(address, options, thread.pollset());
        return new Sockets<>(new Acceptor(source, options, thread, newcomers), newcomers.groups(), shared::release);
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
