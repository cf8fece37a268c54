package io.millrace.connector.bio;

import io.millrace.io.BufferPool;
import io.millrace.io.Connection;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One listening socket, its connections, the threads they run on, and the {@link Watcher} that waits for their peers. */
final class BioTransport implements Transport {

    private final TransportOptions options;
    private final Threads threads;
    private final ConnectionList connections = new ConnectionList();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private volatile boolean stopping;
    private volatile @Nullable Acceptor acceptor;
    private volatile @Nullable Watcher watcher;
    private Timers.@Nullable Timer graceTimer;

    BioTransport(TransportOptions options) {
        this.options = options;
        threads = Threads.of(options);
    }

    @Override
    public synchronized SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException {
        if (watcher != null || stopping) {
            throw new IllegalStateException("a transport is bound once");
        }
        Watcher watching = new Watcher(options.name());
        watcher = watching;
        boolean bound = false;
        try {
            Acceptor listening = new Acceptor(address, options, socket -> adopt(socket, onAccept));
            acceptor = listening;
            bound = true;
            return listening.address();
        } finally {
            if (!bound) {
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
        if (stopping) {
            return stopped;
        }
        stopping = true;
        Acceptor listening = acceptor;
        if (listening == null) {
            threads.end(() -> stopped.complete(null));
            return stopped;
        }
        // Told before the socket closes: a client that is refused may count on it that nobody starts anything new.
        connections.snapshot().forEach(BioConnection::announceDrain);
        listening.close();
        connections.snapshot().forEach(BioConnection::drain);
        graceTimer = options.timers().schedule(this::cut, grace);
        if (listening.gate().inside() == 0) {
            end();
        }
        return stopped;
    }

    private void cut() {
        IOException why = new IOException("the server stops and its grace is over");
        connections.snapshot().forEach(connection -> connection.close(why));
    }

    /** A connection is closed and its handler knows. */
    void left(BioConnection connection) {
        connections.remove(connection);
        Acceptor listening = acceptor;
        if (listening != null && listening.gate().leave() && stopping) {
            end();
        }
    }

    /** The last connection is gone and no new one can come. */
    private void end() {
        if (ended.compareAndSet(false, true)) {
            synchronized (this) {
                if (graceTimer != null) {
                    graceTimer.cancel();
                }
            }
            threads.end(() -> watcher().close(() -> stopped.complete(null)));
        }
    }

    /** Has {@link #stop} been called? Any thread. */
    boolean isStopping() {
        return stopping;
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
