package io.millrace.server;

import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds connections that were accepted before the applications have started: a transport that listens early is paused
 * immediately, but may have accepted some before. Nothing is read from them meanwhile.
 */
public final class StartupHold implements Consumer<Connection> {

    private final CountDownLatch opened = new CountDownLatch(1);

    /** Guarded by this, as are writes of {@link #next}. */
    private final List<Connection> waiting = new ArrayList<>();

    private volatile @Nullable Consumer<Connection> next;

    /** Called on the connection's own thread: passes it on, or holds it. A thread that serves only this connection waits. */
    @Override
    public void accept(Connection connection) {
        Consumer<Connection> acceptor = next;
        if (acceptor == null) {
            acceptor = connection.channel().mayBlock() ? awaitOpen() : passOrHold(connection);
        }
        if (acceptor != null) {
            acceptor.accept(connection);
        }
    }

    /** Passes held connections on, by the executor, and later ones immediately. */
    public void open(Consumer<Connection> acceptor, Executor executor) {
        for (Connection connection : opened(acceptor)) {
            try {
                executor.execute(() -> acceptor.accept(connection));
            } catch (RejectedExecutionException tooMany) {
                connection.close(tooMany);
            }
        }
        opened.countDown();
    }

    /** Closes held connections. Does nothing after {@link #open}. */
    public void close() {
        if (next == null) {
            open(connection -> connection.close(null), Runnable::run);
        }
    }

    private @Nullable Consumer<Connection> awaitOpen() {
        try {
            opened.await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return connection -> connection.close(null);
        }
        return next;
    }

    private synchronized @Nullable Consumer<Connection> passOrHold(Connection connection) {
        if (next == null) {
            connection.install(new HeldConnection());
            waiting.add(connection);
        }
        return next;
    }

    private synchronized List<Connection> opened(Consumer<Connection> acceptor) {
        next = acceptor;
        List<Connection> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    /** The handler of a held connection, which does not wait for input. */
    private static final class HeldConnection implements ConnectionHandler {
        @Override
        public void onReadable() {}

        @Override
        public void onIdle() {}

        @Override
        public void onClosed(@Nullable Throwable cause) {}

        @Override
        public void drain() {}
    }
}
