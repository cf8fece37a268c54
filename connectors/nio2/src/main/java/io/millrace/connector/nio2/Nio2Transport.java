package io.millrace.connector.nio2;

import io.millrace.io.BufferPool;
import io.millrace.io.Connection;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.AsynchronousSocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One listening socket and its connections, served by the threads of a shared {@link IoGroup}. */
final class Nio2Transport implements Transport {

    private final TransportOptions options;
    private final SharedGroup groups;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final ConnectionList connections = new ConnectionList();
    private volatile boolean stopping;

    /** Stopping, and nobody is accepted any more. */
    private volatile boolean shut;

    private volatile @Nullable Acceptor acceptor;
    private @Nullable IoGroup group;
    private volatile Timers.@Nullable Timer graceTimer;

    Nio2Transport(TransportOptions options, SharedGroup groups) {
        this.options = options;
        this.groups = groups;
    }

    @Override
    public synchronized SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException {
        if (group != null || stopping) {
            throw new IllegalStateException("a transport is bound once");
        }
        IoGroup threads = groups.acquire(options);
        boolean bound = false;
        try {
            Acceptor listening =
                    new Acceptor(address, options, threads.channels(), socket -> begin(socket, threads, onAccept));
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
        if (stopping) {
            return stopped;
        }
        stopping = true;
        Acceptor listening = acceptor;
        IoGroup threads = group;
        if (listening == null || threads == null) {
            stopped.complete(null);
            return stopped;
        }
        // Told before the socket closes: a client that is refused may count on it that nobody starts anything new.
        // Those accepted meanwhile see that the transport stops when they get their handler.
        connections.snapshot().forEach(Nio2Connection::announceDrain);
        listening.close();
        shut = true;
        connections.snapshot().forEach(connection -> threads.later(connection::drain));
        Timers.Timer timer = options.timers().schedule(() -> threads.later(this::cut), grace);
        graceTimer = timer;
        if (listening.gate().inside() == 0) {
            end();
        }
        if (ended.get()) {
            timer.cancel();
        }
        return stopped;
    }

    private void cut() {
        connections
                .snapshot()
                .forEach(connection -> connection.close(new IOException("the server stops and its grace is over")));
    }

    /** A connection is closed and its handler knows. */
    void left(Nio2Connection connection) {
        connections.remove(connection);
        Acceptor listening = acceptor;
        if (listening != null && listening.gate().leave() && shut) {
            end();
        }
    }

    /** The last connection is gone and no new one can come. */
    private void end() {
        if (ended.compareAndSet(false, true)) {
            Timers.Timer timer = graceTimer;
            if (timer != null) {
                timer.cancel();
            }
            groups.release().thenRun(() -> stopped.complete(null));
        }
    }

    /** Has {@link #stop} been called? Any thread. */
    boolean isStopping() {
        return stopping;
    }

    BufferPool buffers() {
        return options.buffers();
    }

    Timers timers() {
        return options.timers();
    }
}
