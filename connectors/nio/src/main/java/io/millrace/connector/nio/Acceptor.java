package io.millrace.connector.nio;

import io.millrace.io.InheritedAddress;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listening socket, and the thread that accepts from it as long as the {@link AcceptGate} is open. While it is shut
 * new connections wait in the backlog.
 */
final class Acceptor implements Runnable {

    private static final int BACKLOG_LEAST = 1;

    private final TransportOptions options;
    private final Consumer<SocketChannel> onAccept;
    private final ServerSocketChannel listening;
    private final boolean isPort;
    private final Selector selector;
    private final SelectionKey key;
    private final SocketAddress address;
    private final AcceptGate gate;
    private final Thread thread;
    private volatile boolean closing;

    /**
     * Binds and starts accepting.
     *
     * @param onAccept called on the acceptor's thread with a socket that has its options; must not block
     */
    Acceptor(SocketAddress wanted, TransportOptions options, Consumer<SocketChannel> onAccept) throws IOException {
        this.options = options;
        this.onAccept = onAccept;
        listening = ListeningSocket.open(wanted);
        isPort = !(wanted instanceof UnixDomainSocketAddress);
        try {
            bind(wanted);
            selector = Selector.open();
            key = listening.configureBlocking(false).register(selector, 0);
            address = listening.getLocalAddress();
        } catch (IOException | RuntimeException failed) {
            listening.close();
            throw failed;
        }
        gate = new AcceptGate(options.name(), options.maxConnections(), selector::wakeup, System::nanoTime);
        thread = new Thread(this, options.name() + "-acceptor");
        thread.start();
    }

    private void bind(SocketAddress wanted) throws IOException {
        if (wanted instanceof InheritedAddress) {
            return; // whoever started the process has done it
        }
        if (wanted instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new BindException("cannot listen on " + inet.getHostString() + ": unknown host");
        }
        if (isPort) {
            listening.setOption(StandardSocketOptions.SO_REUSEADDR, options.soReuseAddress());
        }
        if (options.receiveBuffer() > 0) {
            listening.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBuffer());
        }
        try {
            listening.bind(wanted, Math.max(BACKLOG_LEAST, options.acceptCount()));
        } catch (IOException | RuntimeException refused) {
            BindException clear = new BindException("cannot listen on " + wanted + ": " + refused.getMessage());
            clear.initCause(refused);
            throw clear;
        }
    }

    SocketAddress address() {
        return address;
    }

    AcceptGate gate() {
        return gate;
    }

    /** Closes the listening socket; returns when nobody is accepted any more. */
    void close() {
        closing = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        try (listening;
                selector) {
            while (!closing) {
                key.interestOps(gate.isOpen() ? SelectionKey.OP_ACCEPT : 0);
                selector.select(gate.patienceMillis());
                selector.selectedKeys().clear();
                acceptAll();
            }
        } catch (IOException broken) {
            NioLog.LOG.acceptorEnded(options.name(), broken);
        }
    }

    private void acceptAll() throws IOException {
        while (!closing && gate.enter()) {
            SocketChannel socket = null;
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

    private void discard(@Nullable SocketChannel socket) throws IOException {
        gate.giveBack();
        if (socket != null) {
            socket.close();
        }
    }

    private void configure(SocketChannel socket) throws IOException {
        socket.configureBlocking(false);
        if (options.tcpNoDelay() && isPort) {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        if (options.soKeepAlive() && isPort) {
            socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        }
        if (options.soLinger() >= 0) {
            socket.setOption(StandardSocketOptions.SO_LINGER, options.soLinger());
        }
        if (options.sendBuffer() > 0) {
            socket.setOption(StandardSocketOptions.SO_SNDBUF, options.sendBuffer());
        }
    }
}
