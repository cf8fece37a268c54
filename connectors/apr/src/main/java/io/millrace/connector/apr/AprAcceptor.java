package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.connector.apr.binding.ListeningSocket;
import io.millrace.connector.apr.binding.Polled;
import io.millrace.connector.apr.binding.Pollset;
import io.millrace.io.TransportOptions;
import io.millrace.io.socket.AcceptGate;
import io.millrace.io.socket.Listening;
import io.millrace.io.socket.SocketLog;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listening socket, and the thread that accepts from it as long as the {@link AcceptGate} is open. While it is shut new
 * connections wait in the backlog.
 */
final class AprAcceptor implements Runnable, Listening, Polled {

    private static final long FOR_EVER = -1;

    private final TransportOptions options;
    private final Consumer<AprSocket> onAccept;
    private final ListeningSocket listening;
    private final Pollset pollset;
    private final AcceptGate gate;
    private final Thread thread;
    private volatile boolean closing;

    /**
     * Binds; accepts nobody until it is started.
     *
     * @param onAccept called on the acceptor's thread with a socket that has its options; must not block
     */
    AprAcceptor(SocketAddress wanted, TransportOptions options, Consumer<AprSocket> onAccept) throws IOException {
        this.options = options;
        this.onAccept = onAccept;
        if (!(wanted instanceof InetSocketAddress port)) {
            throw new UnsupportedAddressTypeException();
        }
        if (port.isUnresolved()) {
            throw new BindException("cannot listen on " + port.getHostString() + ": unknown host");
        }
        pollset = new Pollset(1);
        boolean bound = false;
        try {
            listening = ListeningSocket.bind(
                    port, Math.max(1, options.acceptCount()), options.soReuseAddress(), options.receiveBuffer());
            bound = true;
        } finally {
            if (!bound) {
                pollset.close();
            }
        }
        listening.join(pollset, this);
        gate = new AcceptGate(options.name(), options.maxConnections(), pollset::wakeUp, System::nanoTime);
        thread = new Thread(this, options.name() + "-acceptor");
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public SocketAddress address() {
        return listening.address();
    }

    @Override
    public AcceptGate gate() {
        return gate;
    }

    @Override
    public void close() {
        closing = true;
        pollset.wakeUp();
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        try {
            while (!closing) {
                listening.watch(gate.isOpen());
                long patience = gate.patienceMillis();
                pollset.await(patience == 0 ? FOR_EVER : TimeUnit.MILLISECONDS.toMicros(patience));
                acceptAll();
            }
        } catch (IOException broken) {
            SocketLog.LOG.acceptorEnded(options.name(), broken);
        } finally {
            listening.close();
            pollset.close();
        }
    }

    private void acceptAll() {
        while (!closing && gate.enter()) {
            AprSocket socket = null;
            boolean handedOver = false;
            try {
                socket = listening.accept();
                if (socket == null) {
                    return;
                }
                gate.succeeded();
                configure(socket);
                onAccept.accept(socket);
                handedOver = true;
            } catch (Throwable failed) { // not even an error may end this thread, which nobody would notice
                if (socket == null || !(failed instanceof IOException)) {
                    gate.failed(failed);
                } // else the peer has gone already
            } finally {
                if (!handedOver) {
                    discard(socket);
                }
            }
        }
    }

    private void discard(@Nullable AprSocket socket) {
        gate.giveBack();
        if (socket != null) {
            socket.close();
        }
    }

    private void configure(AprSocket socket) throws IOException {
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
    public void ready(int events) {
        // whatever it was, the next thing is to accept
    }

    @Override
    public void gone() {
        pollset.forget(listening.socket());
    }
}
