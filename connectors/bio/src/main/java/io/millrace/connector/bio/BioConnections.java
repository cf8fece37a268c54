package io.millrace.connector.bio;

import io.millrace.io.Connection;
import io.millrace.io.socket.Adopter;
import io.millrace.io.socket.ConnectionGroup;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.ConnectionOwner;
import io.millrace.io.socket.SelectorLoop;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The connections of one transport or dialer, the threads they run on, and the {@link SelectorLoop} that waits for their peers. */
final class BioConnections implements Adopter<SocketChannel> {

    private final Threads threads;
    private final SelectorLoop loop;
    private final ConnectionOwner owner;
    private final ConnectionList<BioConnection> all = new ConnectionList<>();

    /** Connections that have something to do, on a thread or in line for one. */
    private final AtomicInteger busy = new AtomicInteger();

    BioConnections(Threads threads, SelectorLoop loop, ConnectionOwner owner) {
        this.threads = threads;
        this.loop = loop;
        this.owner = owner;
    }

    /** One more, on the acceptor's thread. */
    @Override
    public void adopt(SocketChannel socket, Consumer<Connection> onOpen, Consumer<Throwable> onFailed) {
        try {
            BioConnection connection = new BioConnection(owner, this, socket);
            all.add(connection);
            boolean begun = false;
            try {
                threads.execute(counted(() -> connection.begin(onOpen)));
                begun = true;
            } finally {
                if (!begun) {
                    busy.decrementAndGet();
                    all.remove(connection);
                }
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible); // a new socket can be watched
        }
    }

    /** Those that have begun and not ended. */
    ConnectionList<BioConnection> all() {
        return all;
    }

    /** A drain and a close may come from any thread. */
    ConnectionGroup<BioConnection> group() {
        return new ConnectionGroup<>(Runnable::run, all);
    }

    /**
     * Runs a connection as long as it has something to do.
     *
     * @throws OutOfMemoryError if there is no thread for it, and none can be started
     */
    void start(Runnable connection) {
        Runnable counted = counted(connection);
        boolean begun = false;
        try {
            threads.execute(counted);
            begun = true;
        } catch (RejectedExecutionException over) {
            begun = true;
            counted.run(); // the last connection is gone: what is left is to tell somebody so
        } finally {
            if (!begun) {
                busy.decrementAndGet();
            }
        }
    }

    private Runnable counted(Runnable connection) {
        busy.incrementAndGet();
        return () -> {
            try {
                connection.run();
            } finally {
                busy.decrementAndGet();
            }
        };
    }

    /** After so many calls in a row a connection waits by the selector loop, with those that it has found meanwhile. */
    int mostInARow() {
        return threads.mostInARow(busy.get());
    }

    /** Runs something short: on the selector loop's thread, if no other can be started. */
    void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException over) {
            task.run(); // the last connection is gone: what is left is to tell somebody so
        } catch (OutOfMemoryError noThread) {
            loop.execute(task);
        }
    }

    /** The current thread begins to wait for its peer with a handler on the stack; {@link #endWait} follows. */
    void beginWait() {
        threads.beginWait();
    }

    void endWait() {
        threads.endWait();
    }

    boolean isShortOfThreads() {
        return threads.isShort();
    }

    /** Before a thread looks whether it can go straight on with its connection. */
    @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it
    void letOthersGoFirst() {
        Thread.yield();
    }

    SelectorLoop loop() {
        return loop;
    }
}
