package io.millrace.connector.apr;

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

/** The listening socket, at the pollset of the thread that accepts. */
final class AprAcceptSource implements AcceptSource<AprSocket>, Polled {

    private final TransportOptions options;
    private final Pollset pollset;
    private final AprListeningSocket listening;
    private Runnable somebody = () -> {};

    /** Binds. */
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
                port, Math.max(1, options.acceptCount()), options.soReuseAddress(), options.receiveBuffer());
    }

    @Override
    public SocketAddress address() {
        return listening.address();
    }

    @Override
    public void open(Runnable whenSomebody) {
        somebody = whenSomebody;
        listening.join(pollset, this);
    }

    @Override
    public void watch(boolean wanted) throws IOException {
        listening.watch(wanted);
    }

    @Override
    public void ready(int events) {
        somebody.run();
    }

    @Override
    public @Nullable AprSocket accept() throws IOException {
        return listening.accept();
    }

    @Override
    public void configure(AprSocket socket) throws IOException {
        configure(socket, options);
    }

    /** Sets what the options say of connections. */
    static void configure(AprSocket socket, TransportOptions options) throws IOException {
        if (options.tcpNoDelay()) {
            socket.option(AprSocket.TCP_NODELAY, 1);
        }
        if (options.soKeepAlive()) {
            socket.option(AprSocket.SO_KEEPALIVE, 1);
        }
        if (options.soLinger() >= 0) {
            socket.linger(options.soLinger());
        }
        if (options.sendBuffer() > 0) {
            socket.option(AprSocket.SO_SNDBUF, options.sendBuffer());
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
