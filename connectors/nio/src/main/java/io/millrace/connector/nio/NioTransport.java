package io.millrace.connector.nio;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/**
 * One listening socket and its connections. Each connection belongs to one I/O thread of the shared {@link XnioWorker},
 * and each I/O thread keeps the list of its own.
 */
final class NioTransport implements Transport, GracefulStop.Steps {

    private final TransportOptions options;
    private final SharedWorker workers;
    private final GracefulStop ending = new GracefulStop(this);
    private final List<ConnectionList<NioConnection>> connections = new ArrayList<>();
    private final List<Courtesy> courtesies = new ArrayList<>();
    private volatile @Nullable Acceptor acceptor;
    private volatile @Nullable XnioWorker worker;

    NioTransport(TransportOptions options, SharedWorker workers) {
        this.options = options;
        this.workers = workers;
    }

    @Override
    public synchronized SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException {
        if (worker != null || isStopping()) {
            throw new IllegalStateException("a transport is bound once");
        }
        XnioWorker threads = workers.acquire(options);
        boolean bound = false;
        try {
            for (int i = 0; i < threads.getIoThreadCount(); i++) {
                connections.add(new ConnectionList<>());
                courtesies.add(new Courtesy(threads.getIoThread(i)));
            }
            Acceptor listening = new Acceptor(
                    ListeningSocket.onAny(address, options), options, new RoundRobin(threads, this, onAccept));
            acceptor = listening;
            worker = threads;
            bound = true;
            listening.start();
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
        return ending.stop(grace, options.timers());
    }

    @Override
    public void announce() {
        connections.forEach(list -> list.forEach(connection -> connection.life().tellDrain()));
    }

    @Override
    public void closeAcceptor() {
        Acceptor listening = acceptor;
        if (listening != null) {
            listening.close(); // what it accepted last is in the I/O threads' queues, before the draining
        }
    }

    @Override
    public void drain() {
        forEachConnection(NioConnection::drain);
    }

    @Override
    public void cut(IOException why) {
        try {
            forEachConnection(connection -> connection.close(why));
        } catch (RejectedExecutionException gone) {
            // the last connection closed in this very moment, and the threads with it
        }
    }

    private void forEachConnection(Consumer<NioConnection> action) {
        XnioWorker threads = worker;
        for (int i = 0; threads != null && i < threads.getIoThreadCount(); i++) {
            XnioIoThread thread = threads.getIoThread(i);
            thread.execute(() -> connectionsOf(thread).forEach(action));
        }
    }

    /** A connection is closed and its handler knows; or it never came to be. On an I/O thread. */
    void left() {
        Acceptor listening = acceptor;
        if (listening != null && listening.gate().leave()) {
            ending.lastLeft();
        }
    }

    @Override
    public CompletionStage<Void> release() {
        return worker == null ? CompletableFuture.completedFuture(null) : workers.release();
    }

    /** Has {@link #stop} been called? Any thread. */
    boolean isStopping() {
        return ending.isStopping();
    }

    ConnectionList<NioConnection> connectionsOf(XnioIoThread thread) {
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
