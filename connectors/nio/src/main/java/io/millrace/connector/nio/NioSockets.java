package io.millrace.connector.nio;

import io.millrace.io.TransportOptions;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.ChannelEntrance;
import io.millrace.io.socket.ListeningSocket;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Sockets;
import io.millrace.io.socket.Watcher;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.xnio.XnioWorker;

/**
 * One listening socket and its connections. Each connection belongs to one I/O thread of the shared {@link XnioWorker},
 * and each I/O thread keeps the list of its own.
 */
final class NioSockets implements Sockets {

    private final SharedThreads<XnioThreads> shared;
    private final List<NioThread> threads;
    private final Acceptor acceptor;

    private NioSockets(SharedThreads<XnioThreads> shared, List<NioThread> threads, Acceptor acceptor) {
        this.shared = shared;
        this.threads = threads;
        this.acceptor = acceptor;
    }

    /** A transport that has its threads in common with others. */
    static SocketTransport transport(TransportOptions options, SharedThreads<XnioThreads> shared) {
        return new SocketTransport(
                options,
                (transport, address, onAccept) -> shared.acquire(options, started -> {
                    List<NioThread> threads = threadsOf(started.worker());
                    RoundRobin newcomers = new RoundRobin(threads, transport, onAccept);
                    Watcher watcher = started.watcher();
                    ServerSocketChannel listening = ListeningSocket.onAny(address, options);
                    ChannelEntrance entrance = new ChannelEntrance(listening, options, watcher);
                    return new NioSockets(shared, threads, new Acceptor(entrance, options, watcher, newcomers));
                }));
    }

    private static List<NioThread> threadsOf(XnioWorker worker) {
        return IntStream.range(0, worker.getIoThreadCount())
                .mapToObj(number -> new NioThread(worker.getIoThread(number)))
                .toList();
    }

    /** What it accepted last is in the I/O threads' queues, before the draining. */
    @Override
    public Acceptor acceptor() {
        return acceptor;
    }

    @Override
    public void announce() {
        threads.forEach(thread ->
                thread.connections().forEach(connection -> connection.life().tellDrain()));
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
        threads.forEach(thread -> thread.io().execute(() -> thread.connections().forEach(action)));
    }

    @Override
    public CompletionStage<Void> release() {
        return shared.release();
    }
}
