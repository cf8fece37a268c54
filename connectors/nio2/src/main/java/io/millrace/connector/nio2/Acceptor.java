package io.millrace.connector.nio2;

import io.millrace.io.TransportOptions;
import io.millrace.io.socket.Listening;
import io.millrace.io.socket.SocketSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The listening socket, and the thread that accepts from it as long as the {@link AcceptGate} is open. Accepting is a thread
 * of its own because the I/O threads may be busy for long. While the gate is shut new connections wait in the backlog.
 */
final class Acceptor implements Runnable, Listening {

    private static final long PATIENCE_SECONDS = 1;

    /** What becomes of a connection that was accepted. */
    interface Newcomer {
        /** On the acceptor's thread. If it fails the socket is closed. */
        void begin(AsynchronousSocketChannel socket) throws IOException;
    }

    private final SocketSettings settings;
    private final IoGroup group;
    private final Newcomer newcomer;
    private final AsynchronousServerSocketChannel listening;
    private final SocketAddress address;
    private final AcceptGate gate;
    private final Thread thread;

    /** Binds. */
    Acceptor(SocketAddress wanted, TransportOptions options, IoGroup group, Newcomer newcomer) throws IOException {
        settings = new SocketSettings(options);
        this.group = group;
        this.newcomer = newcomer;
        listening = AsynchronousServerSocketChannel.open(group.channels());
        try {
            settings.listen(listening, wanted, listening::bind);
            address = listening.getLocalAddress();
        } catch (IOException | RuntimeException failed) {
            listening.close();
            throw failed;
        }
        gate = new AcceptGate(options.name(), options.maxConnections());
        thread = new Thread(this, options.name() + "-acceptor");
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
    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        gate.close();
        try {
            listening.close();
            thread.join();
        } catch (IOException ignored) {
            // it is closed all the same
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        while (gate.awaitOpen()) {
            try {
                AsynchronousSocketChannel socket = accept();
                if (socket != null) {
                    welcome(socket);
                }
            } catch (Throwable failed) { // not even an error may end this thread, which nobody would notice
                gate.failed(failed);
            }
        }
    }

    /** Null if accepting failed, or the listening socket is closed. */
    private @Nullable AsynchronousSocketChannel accept() throws InterruptedException {
        Future<AsynchronousSocketChannel> next = listening.accept();
        try {
            return await(next);
        } catch (ExecutionException failed) {
            Throwable why = failed.getCause();
            if (!(why instanceof ClosedChannelException)) {
                gate.failed(why == null ? failed : why);
            }
            return null;
        }
    }

    /** An I/O thread tells of it, if there is nobody yet; so look whether there is an I/O thread to do so. */
    private AsynchronousSocketChannel await(Future<AsynchronousSocketChannel> next)
            throws InterruptedException, ExecutionException {
        while (true) {
            try {
                return next.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException nobody) {
                group.look();
            }
        }
    }

    private void welcome(AsynchronousSocketChannel socket) throws IOException {
        if (!gate.enter()) {
            socket.close();
            return;
        }
        boolean begun = false;
        try {
            settings.configure(socket);
            newcomer.begin(socket);
            begun = true;
        } catch (IOException gone) {
            // the peer, already
        } finally {
            if (!begun) {
                gate.leave();
                socket.close();
            }
        }
    }
}
