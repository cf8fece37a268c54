package io.millrace.connector.bio;

import io.millrace.io.Connection;
import io.millrace.io.TransportOptions;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.ChannelEntrance;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.ListeningSocket;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Sockets;
import io.millrace.io.socket.Watcher;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** One listening socket, its connections, the threads they run on, and the {@link Watcher} that waits for their peers. */
final class BioSockets implements Sockets {

    private final Threads threads;
    private final ConnectionList<BioConnection> connections = new ConnectionList<>();
    private final SocketTransport transport;
    private final Consumer<Connection> onAccept;
    private final SharedThreads<Watcher> shared;
    private final Watcher watcher;
    private final Acceptor acceptor;

    private BioSockets(
            TransportOptions options,
            Threads threads,
            SharedThreads<Watcher> shared,
            Watcher watcher,
            SocketTransport transport,
            SocketAddress address,
            Consumer<Connection> onAccept)
            throws IOException {
        this.threads = threads;
        this.transport = transport;
        this.onAccept = onAccept;
        this.shared = shared;
        this.watcher = watcher;
        ServerSocketChannel listening = ListeningSocket.onPort(address, options);
        acceptor = new Acceptor(new ChannelEntrance(listening, options, watcher), options, watcher, this::adopt);
    }

    /**
     * A transport of its own threads, which has its watcher in common with others.
     *
     * @throws IllegalStateException if virtual threads are asked for on a Java without them
     */
    static SocketTransport transport(TransportOptions options, SharedThreads<Watcher> shared) {
        Threads threads = Threads.of(options);
        return new SocketTransport(
                options,
                (transport, address, onAccept) -> shared.acquire(
                        options,
                        watcher -> new BioSockets(options, threads, shared, watcher, transport, address, onAccept)));
    }

    /** On the acceptor's thread. */
    private void adopt(SocketChannel socket) {
        try {
            BioConnection connection = new BioConnection(transport, this, socket);
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
    public Acceptor acceptor() {
        return acceptor;
    }

    @Override
    public void announce() {
        connections.forEach(connection -> connection.life().tellDrain());
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
        transport.left();
    }

    @Override
    public CompletionStage<Void> release() {
        CompletableFuture<Void> released = new CompletableFuture<>();
        threads.end(() -> shared.release().thenRun(() -> released.complete(null)));
        return released;
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
        return watcher;
    }
}
