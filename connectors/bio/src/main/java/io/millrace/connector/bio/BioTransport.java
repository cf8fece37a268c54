package io.millrace.connector.bio;

import io.millrace.io.BufferPool;
import io.millrace.io.Connection;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.GracefulStop;
import io.millrace.io.socket.ListeningSocket;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One listening socket, its connections, the threads they run on, and the {@link Watcher} that waits for their peers. */
final class BioTransport implements Transport, GracefulStop.Steps {

    private final TransportOptions options;
    private final Threads threads;
    private final ConnectionList<BioConnection> connections = new ConnectionList<>();
    private final GracefulStop ending = new GracefulStop(this);
    private volatile @Nullable Acceptor acceptor;
    private volatile @Nullable Watcher watcher;

    BioTransport(TransportOptions options) {
        this.options = options;
        threads = Threads.of(options);
    }

    @Override
    public synchronized SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException {
        if (watcher != null || isStopping()) {
            throw new IllegalStateException("a transport is bound once");
        }
        Watcher watching = new Watcher(options.name());
        watcher = watching;
        boolean bound = false;
        try {
            Acceptor listening =
                    new Acceptor(ListeningSocket.onPort(address, options), options, socket -> adopt(socket, onAccept));
            acceptor = listening;
            bound = true;
            listening.start();
            return listening.address();
        } finally {
            if (!bound) {
                watcher = null;
                watching.close(() -> {});
            }
        }
    }

    /** On the acceptor's thread. */
    private void adopt(SocketChannel socket, Consumer<Connection> onAccept) {
        try {
            BioConnection connection = new BioConnection(this, socket);
            connections.add(connection);
            boolean begun = false;
            try {
                threads.execute(() -> connection.begin(onAccept));
                begun = true;
            } finally {
                if (!begun) {
                    connections.remove(connection);
                }
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible); // a new socket can be watched
        }
    }

    @Override
    public void pause() {
        Acceptor listening = acceptor;
        if (listening != null) {
            listening.gate().pause();
        }
    }

    @Override
    public void resume() {
        Acceptor listening = acceptor;
        if (listening != null) {
            listening.gate().resume();
        }
    }

    @Override
    public int connections() {
        Acceptor listening = acceptor;
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
        Acceptor listening = acceptor;
        if (listening != null) {
            listening.close();
        }
    }

    @Override
    public void drain() {
        connections.forEach(BioConnection::drain);
    }

    @Override
    public void cut(IOException why) {
        connections.forEach(connection -> connection.close(why));
    }

    /** A connection is closed and its handler knows. */
    void left(BioConnection connection) {
        connections.remove(connection);
        Acceptor listening = acceptor;
        if (listening != null && listening.gate().leave()) {
            ending.lastLeft();
        }
    }

    @Override
    public CompletionStage<Void> release() {
        CompletableFuture<Void> released = new CompletableFuture<>();
        Watcher watching = watcher;
        threads.end(() -> {
            if (watching == null) {
                released.complete(null);
            } else {
                watching.close(() -> released.complete(null));
            }
        });
        return released;
    }

    /** Has {@link #stop} been called? Any thread. */
    boolean isStopping() {
        return ending.isStopping();
    }

    void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException over) {
            task.run(); // the last connection is gone: what is left is to tell somebody so
        }
    }

    boolean isShortOfThreads() {
        return threads.isShort();
    }

    /** Before a thread looks whether it can go straight on with its connection. */
    @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it
    void letOthersGoFirst() {
        Thread.yield();
    }

    Watcher watcher() {
        Watcher watching = watcher;
        if (watching == null) {
            throw new IllegalStateException("the transport is not bound");
        }
        return watching;
    }

    BufferPool buffers() {
        return options.buffers();
    }

    Timers timers() {
        return options.timers();
    }
}
