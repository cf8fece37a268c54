package io.millrace.connector.nio;

import io.millrace.io.BufferPool;
import io.millrace.io.Connection;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/**
 * One listening socket and its connections. Each connection belongs to one I/O thread of the shared {@link XnioWorker},
 * and each I/O thread keeps the list of its own.
 */
final class NioTransport implements Transport {

    private final TransportOptions options;
    private final SharedWorker workers;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final List<ConnectionList> connections = new ArrayList<>();
    private final List<Courtesy> courtesies = new ArrayList<>();
    private volatile boolean stopping;
    private volatile @Nullable Acceptor acceptor;
    private @Nullable XnioWorker worker;
    private Timers.@Nullable Timer graceTimer;

    NioTransport(TransportOptions options, SharedWorker workers) {
        this.options = options;
        this.workers = workers;
    }

    @Override
    public synchronized SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException {
        if (worker != null || stopping) {
            throw new IllegalStateException("a transport is bound once");
        }
        XnioWorker threads = workers.acquire(options);
        boolean bound = false;
        try {
            for (int i = 0; i < threads.getIoThreadCount(); i++) {
                connections.add(new ConnectionList());
                courtesies.add(new Courtesy(threads.getIoThread(i)));
            }
            Acceptor listening = new Acceptor(address, options, new RoundRobin(threads, this, onAccept));
            acceptor = listening;
            worker = threads;
            bound = true;
            return listening.address();
        } finally {
            if (!bound) {
                workers.release();
            }
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
        XnioWorker threads = worker;
        if (listening == null || threads == null) {
            stopped.complete(null);
            return stopped;
        }
        // Told before the socket closes: a client that is refused may count on it that nobody starts anything new.
        // Those
        // that are accepted meanwhile see that the transport stops when they get their handler.
        connections.forEach(list -> list.snapshot().forEach(NioConnection::announceDrain));
        listening.close(); // what it accepted last is in the I/O threads' queues, before the draining
        forEachConnection(threads, NioConnection::drain);
        graceTimer = options.timers().schedule(() -> cut(threads), grace);
        if (listening.gate().inside() == 0) {
            end();
        }
        return stopped;
    }

    private void cut(XnioWorker threads) {
        try {
            forEachConnection(
                    threads, connection -> connection.close(new IOException("the server stops and its grace is over")));
        } catch (RejectedExecutionException gone) {
            // the last connection closed in this very moment, and the threads with it
        }
    }

    private void forEachConnection(XnioWorker threads, Consumer<NioConnection> action) {
        for (int i = 0; i < threads.getIoThreadCount(); i++) {
            XnioIoThread thread = threads.getIoThread(i);
            thread.execute(() -> connectionsOf(thread).forEach(action));
        }
    }

    /** A connection is closed and its handler knows; or it never came to be. On an I/O thread. */
    void left() {
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
            workers.release().thenRun(() -> stopped.complete(null));
        }
    }

    /** Has {@link #stop} been called? Any thread. */
    boolean isStopping() {
        return stopping;
    }

    ConnectionList connectionsOf(XnioIoThread thread) {
        return connections.get(thread.getNumber());
    }

    Courtesy courtesyOf(XnioIoThread thread) {
        return courtesies.get(thread.getNumber());
    }

    BufferPool buffers() {
        return options.buffers();
    }

    Timers timers() {
        return options.timers();
    }
}
