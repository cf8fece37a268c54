package io.millrace.connector.apr;

import static io.millrace.io.TransportOptions.ACCEPT_COUNT;
import static io.millrace.io.TransportOptions.RECEIVE_BUFFER;
import static io.millrace.io.TransportOptions.SEND_BUFFER;
import static io.millrace.io.TransportOptions.SO_KEEP_ALIVE;
import static io.millrace.io.TransportOptions.SO_LINGER;
import static io.millrace.io.TransportOptions.SO_REUSE_ADDRESS;
import static io.millrace.io.TransportOptions.TCP_NO_DELAY;

import io.millrace.connector.apr.binding.AprListeningSocket;
import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.connector.apr.binding.Polled;
import io.millrace.connector.apr.binding.Pollset;
import io.millrace.io.TransportOptions;
import io.millrace.io.socket.AcceptSource;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

/** The listening socket, in the pollset of the accept thread. */
final class AprAcceptSource implements AcceptSource<AprSocket>, Polled {

    private final TransportOptions options;
    private final Pollset pollset;
    private final AprListeningSocket listening;
    private Runnable listener = () -> {};

    AprAcceptSource(SocketAddress wanted, TransportOptions options, Pollset pollset) throws IOException {
        this.options = options;
        this.pollset = pollset;
        if (!(wanted instanceof InetSocketAddress port)) {
            throw new UnsupportedAddressTypeException();
        }
        if (port.isUnresolved()) {
            throw new BindException("cannot listen on " + port.getHostString() + ": unknown host");
        }
        listening = AprListeningSocket.bind(
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
        configure(socket, options);
    }

    /** Sets the options of a connection. */
    static void configure(AprSocket socket, TransportOptions options) throws IOException {
        if (options.get(TCP_NO_DELAY)) {
            socket.option(AprSocket.TCP_NODELAY, 1);
        }
        if (options.get(SO_KEEP_ALIVE)) {
            socket.option(AprSocket.SO_KEEPALIVE, 1);
        }
        if (options.get(SO_LINGER) >= 0) {
            socket.linger(options.get(SO_LINGER));
        }
        if (options.get(SEND_BUFFER) > 0) {
            socket.option(AprSocket.SO_SNDBUF, options.get(SEND_BUFFER));
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
