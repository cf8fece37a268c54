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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/**
 * One listening socket and its connections. Each connection belongs to one I/O thread of the shared {@link XnioWorker},
 * and each I/O thread keeps the list of its own.
 */
final class NioTransport implements Transport {

    private final TransportOptions options;
    private final SharedWorker workers;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final List<ConnectionList> connections = new ArrayList<>();
    private volatile boolean stopping;
    private @Nullable XnioWorker worker;
    private @Nullable Acceptor acceptor;
    private Timers.@Nullable Timer graceTimer;

    NioTransport(TransportOptions options, SharedWorker workers) {
        this.options = options;
        this.workers = workers;
    }

    @Override
    public synchronized SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException {
        if (acceptor != null || stopping) {
            throw new IllegalStateException("a transport is bound once");
        }
        XnioWorker threads = workers.acquire(options);
        try {
            for (int i = 0; i < threads.getIoThreadCount(); i++) {
                connections.add(new ConnectionList());
            }
            worker = threads;
            Acceptor listening = new Acceptor(threads, address, options, stream -> accepted(stream, onAccept));
            acceptor = listening;
            return listening.localAddress();
        } finally {
            if (acceptor == null) {
                worker = null;
                workers.release();
            }
        }
    }

    @Override
    public synchronized void pause() {
        if (acceptor != null) {
            acceptor.pause();
        }
    }

    @Override
    public synchronized void resume() {
        if (acceptor != null) {
            acceptor.resume();
        }
    }

    @Override
    public int connections() {
        return open.get();
    }

    /** On the connection's I/O thread. */
    private void accepted(StreamConnection stream, Consumer<Connection> onAccept) {
        NioConnection connection = new NioConnection(this, stream);
        open.incrementAndGet();
        connection.neighbours().add(connection);
        if (stopping) {
            connection.close(null);
            return;
        }
        try {
            onAccept.accept(connection);
        } catch (Throwable thrown) {
            connection.failed(thrown);
        }
    }

    /** On the connection's I/O thread, when its handler knows. */
    void closed(NioConnection connection) {
        connection.neighbours().remove(connection);
        if (open.decrementAndGet() == 0 && stopping) {
            end();
        }
    }

    @Override
    public synchronized CompletionStage<Void> stop(Duration grace) {
        if (stopping) {
            return stopped;
        }
        stopping = true;
        XnioWorker threads = worker;
        if (acceptor == null || threads == null) {
            stopped.complete(null);
            return stopped;
        }
        acceptor.close();
        forEachConnection(threads, NioConnection::drain);
        graceTimer = options.timers().schedule(() -> cut(threads), grace);
        if (open.get() == 0) {
            end();
        }
        return stopped;
    }

    private void cut(XnioWorker threads) {
        try {
            forEachConnection(
                    threads, connection -> connection.close(new IOException("the server stops and its grace is over")));
        } catch (RejectedExecutionException ended) {
            // the last connection closed in this very moment, and the threads with it
        }
    }

    private void forEachConnection(XnioWorker threads, Consumer<NioConnection> action) {
        for (int i = 0; i < threads.getIoThreadCount(); i++) {
            XnioIoThread thread = threads.getIoThread(i);
            thread.execute(() -> connectionsOf(thread).forEach(action));
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

    ConnectionList connectionsOf(XnioIoThread thread) {
        return connections.get(thread.getNumber());
    }

    BufferPool buffers() {
        return options.buffers();
    }

    Timers timers() {
        return options.timers();
    }
}
