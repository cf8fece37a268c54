package io.millrace.io.socket;

import io.millrace.io.Connection;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Gives accepted sockets to polling threads in turn, so that a few connections are spread evenly too.
 *
 * @param <S> the sockets
 * @param <T> the threads
 */
public final class RoundRobin<S extends Closeable, T extends Executor> implements Consumer<S> {

    /**
     * Makes a socket one that a thread polls for.
     *
     * @param <S> the sockets
     * @param <T> the threads
     */
    public interface Adoption<S, T> {
        /** By the thread itself. */
        PolledSocket adopt(S socket, T thread) throws IOException;
    }

    private final List<T> threads;
    private final List<ConnectionGroup<PolledConnection>> groups;
    private final SocketTransport transport;
    private final Adoption<? super S, ? super T> adoption;
    private final Consumer<Connection> onAccept;
    private int turn;

    /**
     * Between these threads, which others use too.
     *
     * @param onAccept gets each new connection, on its thread
     */
    public RoundRobin(
            List<T> threads,
            SocketTransport transport,
            Adoption<? super S, ? super T> adoption,
            Consumer<Connection> onAccept) {
        this.threads = List.copyOf(threads);
        groups = threads.stream().map(ConnectionGroup<PolledConnection>::new).toList();
        this.transport = transport;
        this.adoption = adoption;
        this.onAccept = onAccept;
    }

    /** The connections, by threads. */
    public List<ConnectionGroup<PolledConnection>> groups() {
        return groups;
    }

    /** On the acceptor's thread. */
    @Override
    public void accept(S socket) {
        int chosen = turn;
        turn = (turn + 1) % threads.size();
        threads.get(chosen).execute(() -> begin(socket, chosen));
    }

    private void begin(S socket, int chosen) {
        T thread = threads.get(chosen);
        PolledConnection connection;
        try {
            PolledSocket polled = adoption.adopt(socket, thread);
            connection =
                    new PolledConnection(transport, thread, groups.get(chosen).connections(), polled);
            connection.join();
        } catch (Throwable failed) { // mostly the peer has gone already
            discard(socket);
            if (!(failed instanceof IOException)) {
                TaskFailures.log(Thread.currentThread().getName(), failed);
            }
            return;
        }
        connection.begin(onAccept);
    }

    private void discard(S socket) {
        try {
            socket.close();
        } catch (IOException broken) {
            // closed all the same
        }
        transport.left();
    }
}
