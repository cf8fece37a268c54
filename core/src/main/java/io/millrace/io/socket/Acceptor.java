package io.millrace.io.socket;

import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket of NIO's, and the thread that accepts from it as long as the {@link AcceptGate} is open. While it is
 * shut new connections wait in the backlog.
 */
public final class Acceptor implements Runnable, Listening {

    private final TransportOptions options;
    private final SocketSettings settings;
    private final Consumer<SocketChannel> onAccept;
    private final ServerSocketChannel listening;
    private final Selector selector;
    private final SelectionKey key;
    private final SocketAddress address;
    private final AcceptGate gate;
    private final Thread thread;
    private volatile boolean closing;

    /**
     * Accepts nobody until it is started.
     *
     * @param listening bound already; closed if this fails
     * @param onAccept called on the acceptor's thread with a socket that does not block and has its options; must not
     *     block. If it throws, the socket is closed and counted off
     */
    public Acceptor(ServerSocketChannel listening, TransportOptions options, Consumer<SocketChannel> onAccept)
            throws IOException {
        this.options = options;
        this.settings = new SocketSettings(options);
        this.onAccept = onAccept;
        this.listening = listening;
        try {
            address = listening.getLocalAddress();
            selector = Selector.open();
            key = listening.configureBlocking(false).register(selector, 0);
        } catch (IOException | RuntimeException failed) {
            listening.close();
            throw failed;
        }
        gate = new AcceptGate(options.name(), options.maxConnections(), selector::wakeup, System::nanoTime);
        thread = new Thread(this, options.name() + "-acceptor");
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public SocketAddress address() {
        return address;
    }

    @Override
    public AcceptGate gate() {
        return gate;
    }

    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** The thread's work. */
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
            SocketLog.LOG.acceptorEnded(options.name(), broken);
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
                socket.configureBlocking(false);
                settings.configure(socket);
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
}
