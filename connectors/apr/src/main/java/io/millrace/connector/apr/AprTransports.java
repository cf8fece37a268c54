package io.millrace.connector.apr;

import static io.millrace.io.TransportOptions.ACCEPT_COUNT;
import static io.millrace.io.TransportOptions.RECEIVE_BUFFER;
import static io.millrace.io.TransportOptions.SO_KEEP_ALIVE;
import static io.millrace.io.TransportOptions.SO_LINGER;
import static io.millrace.io.TransportOptions.SO_REUSE_ADDRESS;
import static io.millrace.io.TransportOptions.TCP_NO_DELAY;

import io.millrace.connector.apr.binding.Apr;
import io.millrace.connector.apr.binding.AprListeningSocket;
import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.connector.apr.binding.Polled;
import io.millrace.connector.apr.binding.Pollset;
import io.millrace.io.Connection;
import io.millrace.io.Dialer;
import io.millrace.io.IdleLoops;
import io.millrace.io.InheritedAddress;
import io.millrace.io.InheritedSockets;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.io.socket.AcceptSource;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.ConnectSource;
import io.millrace.io.socket.ConnectionOwner;
import io.millrace.io.socket.PolledConnection;
import io.millrace.io.socket.RoundRobin;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.SocketDialer;
import io.millrace.io.socket.SocketSettings;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Sockets;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
        return new Sockets<>(acceptor, roundRobin.groups(), pollers.all(), shared::release);
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

    /** The pollers of a transport's I/O threads, and the one that accepts. */
    private static final class Pollers implements SharedThreads.Threads {

        private final List<Poller> all = new ArrayList<>();
        private final Poller acceptor;

        Pollers(String name, int threads) throws IOException {
            boolean started = false;
            IdleLoops group = new IdleLoops();
            try {
                for (int i = 0; i < threads; i++) {
                    all.add(new Poller(name + "-poller-" + (i + 1), group));
                }
                acceptor = new Poller(name + "-acceptor", new IdleLoops());
                started = true;
            } finally {
                if (!started) {
                    endAll();
                }
            }
        }

        /** The pollers that have connections. */
        List<Poller> all() {
            return all;
        }

        /** The accept thread's poller. It has no connections, so that new ones do not wait for others. */
        Poller acceptor() {
            return acceptor;
        }

        @Override
        public CompletionStage<Void> end() {
            return endAll().thenCompose(done -> acceptor.end());
        }

        private CompletionStage<Void> endAll() {
            return CompletableFuture.allOf(all.stream().map(Poller::end).toArray(CompletableFuture[]::new));
        }
    }

    /** Connects APR sockets, with the pollset of the accept thread. */
    private static final class AprConnectSource implements ConnectSource<AprSocket> {

        private final TransportOptions options;
        private final Pollset pollset;

        AprConnectSource(TransportOptions options, Pollset pollset) {
            this.options = options;
            this.pollset = pollset;
        }

        @Override
        public Attempt connect(SocketAddress to, Outcome<? super AprSocket> outcome) throws IOException {
            if (!(to instanceof InetSocketAddress port)) {
                throw new UnsupportedAddressTypeException();
            }
            if (port.isUnresolved()) {
                throw new UnresolvedAddressException();
            }
            AprSocket socket = AprSocket.outgoing(port, options.get(TransportOptions.RECEIVE_BUFFER));
            boolean begun = false;
            try {
                AprAcceptSource.configure(socket, options, null);
                Connecting attempt = new Connecting(socket, outcome);
                attempt.begin(port);
                begun = true;
                return attempt;
            } finally {
                if (!begun) {
                    socket.close();
                }
            }
        }

        /** One attempt. Closing its socket removes it from the pollset, if it is still in it. */
        private final class Connecting implements Attempt, Polled {

            private final AprSocket socket;
            private final Outcome<? super AprSocket> outcome;
            private boolean ended;

            Connecting(AprSocket socket, Outcome<? super AprSocket> outcome) {
                this.socket = socket;
                this.outcome = outcome;
            }

            /** A socket that connects at once is writable at once, which the pollset reports. */
            void begin(InetSocketAddress to) throws IOException {
                socket.join(pollset, this);
                socket.connect(to);
                socket.watch(AprSocket.WRITABLE, 0);
            }

            @Override
            public void ready(int events) {
                if (ended) {
                    return;
                }
                ended = true;
                try {
                    socket.finishConnect();
                    socket.leavePollset();
                } catch (Throwable failed) {
                    socket.close();
                    outcome.failed(failed);
                    return;
                }
                outcome.connected(socket);
            }

            @Override
            public void abandon() {
                if (!ended) {
                    ended = true;
                    socket.close();
                }
            }

            @Override
            public void gone() {
                pollset.forget(socket);
            }
        }
    }

    /** The listening socket, in the pollset of the accept thread. */
    private static final class AprAcceptSource implements AcceptSource<AprSocket>, Polled {

        private final TransportOptions options;
        private final Pollset pollset;
        private final AprListeningSocket listening;
        private Runnable listener = () -> {};

        AprAcceptSource(SocketAddress wanted, TransportOptions options, Pollset pollset) throws IOException {
            this.options = options;
            this.pollset = pollset;
            listening = listen(wanted, options);
            if (options.get(SO_LINGER) > 0) {
                listening.separate();
            }
        }

        private static AprListeningSocket listen(SocketAddress wanted, TransportOptions options) throws IOException {
            if (wanted instanceof InheritedAddress inherited && inherited.name() != null) {
                InheritedSockets.Listening socket = InheritedSockets.OF_PROCESS.take(inherited, true);
                return AprListeningSocket.of(socket.descriptor(), socket.family() == StandardProtocolFamily.INET6);
            }
            if (!(wanted instanceof InetSocketAddress port)) {
                throw new UnsupportedAddressTypeException();
            }
            if (port.isUnresolved()) {
                throw new BindException("cannot listen on " + port.getHostString() + ": unknown host");
            }
            return AprListeningSocket.bind(
                    port,
                    Math.max(1, options.get(ACCEPT_COUNT)),
                    options.get(SO_REUSE_ADDRESS),
                    options.get(RECEIVE_BUFFER));
        }

        @Override
        public SocketAddress address() {
            return listening.address();
        }

        @Override
        public void open(Runnable onArrival) {
            listener = onArrival;
            listening.join(pollset, this);
        }

        @Override
        public void watch(boolean wanted) throws IOException {
            listening.watch(wanted);
        }

        @Override
        public void ready(int events) {
            listener.run();
        }

        @Override
        public @Nullable AprSocket accept() throws IOException {
            return listening.accept();
        }

        @Override
        public void configure(AprSocket socket) throws IOException {
            configure(socket, options, socket.remote());
        }

        /** Sets the options of a connection; the peer is null before it is connected. */
        static void configure(AprSocket socket, TransportOptions options, @Nullable SocketAddress peer)
                throws IOException {
            if (options.get(TCP_NO_DELAY)) {
                socket.option(AprSocket.TCP_NODELAY, 1);
            }
            if (options.get(SO_KEEP_ALIVE)) {
                socket.option(AprSocket.SO_KEEPALIVE, 1);
            }
            if (options.get(SO_LINGER) >= 0) {
                socket.linger(options.get(SO_LINGER));
            }
            int sendBuffer = SocketSettings.sendBuffer(options, peer);
            if (sendBuffer > 0) {
                socket.option(AprSocket.SO_SNDBUF, sendBuffer);
            }
        }

        @Override
        public void close() {
            listening.close();
        }

        @Override
        public void gone() {
            pollset.forget(listening.socket());
        }
    }
}
