package io.millrace.io.socket;

import io.millrace.io.Connection;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Distributes connected sockets over polling threads, round-robin, so that even a few connections are spread evenly.
 *
 * @param <S> the type of sockets
 * @param <T> the type of threads
 */
public final class RoundRobin<S extends Closeable, T extends PollingThread> implements Adopter<S> {

    /**
     * Registers a socket with a polling thread.
     *
     * @param <S> the type of sockets
     * @param <T> the type of threads
     */
    public interface Adoption<S, T> {
        /** Called on that thread. */
        PolledSocket adopt(S socket, T thread) throws IOException;
    }

    private final List<T> threads;
    private final List<ConnectionGroup<PolledConnection>> groups;
    private final ConnectionOwner owner;
    private final Adoption<? super S, ? super T> adoption;
    private int turn;

    /** Uses these threads, which may be shared. */
    public RoundRobin(List<T> threads, ConnectionOwner owner, Adoption<? super S, ? super T> adoption) {
        this.threads = List.copyOf(threads);
        groups = threads.stream().map(ConnectionGroup<PolledConnection>::new).toList();
        this.owner = owner;
        this.adoption = adoption;
    }

    /** The connections, grouped by threads. */
    public List<ConnectionGroup<PolledConnection>> groups() {
        return groups;
    }

    @Override
    public void adopt(S socket, Consumer<Connection> onOpen, Consumer<Throwable> onFailed) {
        int chosen = turn;
        turn = (turn + 1) % threads.size();
        threads.get(chosen).execute(() -> begin(socket, chosen, onOpen, onFailed));
    }

    private void begin(S socket, int chosen, Consumer<Connection> onOpen, Consumer<Throwable> onFailed) {
        T thread = threads.get(chosen);
        PolledConnection connection;
        try {
            PolledSocket polled = adoption.adopt(socket, thread);
            connection = new PolledConnection(owner, thread, groups.get(chosen).connections(), polled);
            connection.join();
        } catch (Throwable failed) { // usually the peer has already disconnected
            try {
                discard(socket);
            } finally {
                onFailed.accept(failed);
            }
            if (!(failed instanceof IOException)) {
                TaskFailures.log(Thread.currentThread().getName(), failed);
            }
            return;
        }
        connection.begin(onOpen);
    }

    private void discard(S socket) {
        try {
            socket.close();
        } catch (IOException broken) {
            // it is closed nevertheless
        }
        owner.left();
    }
}
