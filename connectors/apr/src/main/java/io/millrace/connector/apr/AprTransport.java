package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.io.BufferPool;
import io.millrace.io.Connection;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.GracefulStop;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One listening socket and its connections, each of which belongs to one of the shared pollers. */
final class AprTransport implements Transport, GracefulStop.Steps {

    private final TransportOptions options;
    private final SharedPollers shared;
    private final GracefulStop ending = new GracefulStop(this);
    private final ConnectionList<AprConnection> connections = new ConnectionList<>();
    private volatile @Nullable AprAcceptor acceptor;
    private volatile @Nullable Pollers pollers;

    /** Whose turn it is; the acceptor's. */
    private int turn;

    AprTransport(TransportOptions options, SharedPollers shared) {
        this.options = options;
        this.shared = shared;
    }

    @Override
    public synchronized SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException {
        if (acceptor != null || isStopping()) {
            throw new IllegalStateException("a transport is bound once");
        }
        Pollers threads = shared.acquire(options);
        boolean bound = false;
        try {
            AprAcceptor listening = new AprAcceptor(address, options, socket -> accept(socket, threads, onAccept));
            acceptor = listening;
            pollers = threads;
            bound = true;
            listening.start();
            return listening.address();
        } finally {
            if (!bound) {
                shared.release();
            }
        }
    }

    /** On the acceptor's thread. Pollers get connections in turn, so that a few are spread evenly too. */
    private void accept(AprSocket socket, Pollers threads, Consumer<Connection> onAccept) {
        Poller poller = threads.get(turn);
        turn = (turn + 1) % threads.count();
        poller.execute(() -> begin(socket, poller, onAccept));
    }

    private void begin(AprSocket socket, Poller poller, Consumer<Connection> onAccept) {
        AprConnection connection;
        try {
            connection = new AprConnection(this, poller, socket);
        } catch (IOException | RuntimeException failed) {
            socket.close();
            left();
            return;
        }
        connections.add(connection);
        connection.begin(onAccept);
    }

    @Override
    public void pause() {
        AprAcceptor listening = acceptor;
        if (listening != null) {
            listening.gate().pause();
        }
    }

    @Override
    public void resume() {
        AprAcceptor listening = acceptor;
        if (listening != null) {
            listening.gate().resume();
        }
    }

    @Override
    public int connections() {
        AprAcceptor listening = acceptor;
        return listening == null ? 0 : listening.gate().inside();
    }

    @Override
    public synchronized CompletionStage<Void> stop(Duration grace) {
        return ending.stop(grace, options.timers());
    }

    @Override
    public void announce() {
        connections.forEach(connection -> connection.life().tellDrain());
    }

    @Override
    public void closeAcceptor() {
        AprAcceptor listening = acceptor;
        if (listening != null) {
            listening.close(); // what it accepted last is in the pollers' queues, before the draining
        }
    }

    @Override
    public void drain() {
        onEachPoller(AprConnection::drain);
    }

    @Override
    public void cut(IOException why) {
        onEachPoller(connection -> connection.close(why));
    }

    /** On its poller, each connection that has begun by then. */
    private void onEachPoller(Consumer<AprConnection> action) {
        Pollers threads = pollers;
        for (int i = 0; threads != null && i < threads.count(); i++) {
            Poller poller = threads.get(i);
            poller.execute(() -> connections.forEach(connection -> {
                if (connection.isOn(poller)) {
                    action.accept(connection);
                }
            }));
        }
    }

    /** A connection is closed and its handler knows. On its poller. */
    void left(AprConnection connection) {
        connections.remove(connection);
        left();
    }

    private void left() {
        AprAcceptor listening = acceptor;
        if (listening != null && listening.gate().leave()) {
            ending.lastLeft();
        }
    }

    @Override
    public CompletionStage<Void> release() {
        return pollers == null ? CompletableFuture.completedFuture(null) : shared.release();
    }

    /** Has {@link #stop} been called? Any thread. */
    boolean isStopping() {
        return ending.isStopping();
    }

    BufferPool buffers() {
        return options.buffers();
    }

    Timers timers() {
        return options.timers();
    }
}
