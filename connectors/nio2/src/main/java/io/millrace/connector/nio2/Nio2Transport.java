package io.millrace.connector.nio2;

import io.millrace.io.BufferPool;
import io.millrace.io.Connection;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.GracefulStop;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.AsynchronousSocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One listening socket and its connections, served by the threads of a shared {@link IoGroup}. */
final class Nio2Transport implements Transport, GracefulStop.Steps {

    private final TransportOptions options;
    private final SharedGroup groups;
    private final GracefulStop ending = new GracefulStop(this);
    private final ConnectionList<Nio2Connection> connections = new ConnectionList<>();
    private volatile @Nullable Acceptor acceptor;
    private volatile @Nullable IoGroup group;

    Nio2Transport(TransportOptions options, SharedGroup groups) {
        this.options = options;
        this.groups = groups;
    }

    @Override
    public synchronized SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException {
        if (group != null || isStopping()) {
            throw new IllegalStateException("a transport is bound once");
        }
        IoGroup threads = groups.acquire(options);
        boolean bound = false;
        try {
            Acceptor listening = new Acceptor(address, options, threads, socket -> begin(socket, threads, onAccept));
            acceptor = listening;
            group = threads;
            bound = true;
            listening.start();
            return listening.address();
        } finally {
            if (!bound) {
                groups.release();
            }
        }
    }

    /** On the acceptor's thread. */
    private void begin(AsynchronousSocketChannel socket, IoGroup threads, Consumer<Connection> onAccept)
            throws IOException {
        Nio2Connection connection = new Nio2Connection(this, threads, socket);
        connections.add(connection);
        connection.begin(onAccept);
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
        later(() -> connections.forEach(Nio2Connection::drain));
    }

    @Override
    public void cut(IOException why) {
        later(() -> connections.forEach(connection -> connection.close(why)));
    }

    private void later(Runnable task) {
        IoGroup threads = group;
        if (threads != null) {
            threads.later(task);
        }
    }

    /** A connection is closed and its handler knows. */
    void left(Nio2Connection connection) {
        connections.remove(connection);
        Acceptor listening = acceptor;
        if (listening != null && listening.gate().leave()) {
            ending.lastLeft();
        }
    }

    @Override
    public CompletionStage<Void> release() {
        return group == null ? CompletableFuture.completedFuture(null) : groups.release();
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
