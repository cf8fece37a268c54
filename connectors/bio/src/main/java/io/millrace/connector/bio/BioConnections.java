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

/** The connections of one transport or dialer, their threads, and the {@link SelectorLoop} that waits for their peers. */
final class BioConnections implements Adopter<SocketChannel> {

    private final Threads threads;
    private final SelectorLoop loop;
    private final ConnectionOwner owner;
    private final ConnectionList<BioConnection> all = new ConnectionList<>();

    /** The number of connections that run on a thread or wait for one. */
    private final AtomicInteger busy = new AtomicInteger();

    BioConnections(Threads threads, SelectorLoop loop, ConnectionOwner owner) {
        this.threads = threads;
        this.loop = loop;
        this.owner = owner;
    }

    /** Called on the accept thread. */
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
            throw new IllegalStateException(impossible); // a new socket can be registered
        }
    }

    /** The open connections. */
    ConnectionList<BioConnection> all() {
        return all;
    }

    /** The open connections as a group, on which any thread may call drain and close. */
    ConnectionGroup<BioConnection> group() {
        return new ConnectionGroup<>(Runnable::run, all);
    }

    /**
     * Runs a connection until it waits for its peer.
     *
     * @throws OutOfMemoryError if no thread is available, and none can be started
     */
    void start(Runnable connection) {
        Runnable counted = counted(connection);
        boolean begun = false;
        try {
            threads.execute(counted);
            begun = true;
        } catch (RejectedExecutionException over) {
            begun = true;
            counted.run(); // the last connection has ended: only its end is left to report
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

    /** After this number of consecutive calls a connection waits in the selector loop, even if it has input. */
    int maxConsecutiveCalls() {
        return threads.maxConsecutiveCalls(busy.get());
    }

    /** Runs a short task; on the selector loop's thread, if no other can be started. */
    void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException over) {
            task.run(); // the last connection has ended: only its end is left to report
        } catch (OutOfMemoryError noThread) {
            loop.execute(task);
        }
    }

    /** Called before the current thread waits for its peer inside a handler; {@link #endWait} follows. */
    void beginWait() {
        threads.beginWait();
    }

    void endWait() {
        threads.endWait();
    }

    boolean isShortOfThreads() {
        return threads.isShort();
    }

    /** Called before a thread checks for further input of its connection. */
    @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it
    void yieldToOthers() {
        Thread.yield();
    }

    SelectorLoop loop() {
        return loop;
    }
}
