package io.millrace.io.socket;

import io.millrace.io.Blocker;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection over a {@link PolledSocket}. Its handler is called by its polling thread; bytes are read and written by
 * whoever owns it, on that thread. What goes in is the {@link PolledReader}'s, what goes out the {@link PolledWriter}'s;
 * here is what concerns both.
 *
 * <p>Closing it closes the socket. When that is gone, the polling thread ends what is pending and tells the handler, so that
 * no buffer or file is given back that the kernel still reads from.
 */
public final class PolledConnection extends SocketConnection<PolledConnection> {

    private final Executor thread;
    private final ConnectionList<PolledConnection> neighbours;
    private final PolledSocket socket;
    private final Channel channel;
    private final PolledReader reader;
    private final PolledWriter writer;

    PolledConnection(
            SocketTransport transport,
            Executor thread,
            ConnectionList<PolledConnection> neighbours,
            PolledSocket socket)
            throws IOException {
        super(transport, socket.local(), socket.remote());
        this.thread = thread;
        this.neighbours = neighbours;
        this.socket = socket;
        channel = channel(true, false, Blocker.NEVER_IN_PLACE);
        reader = new PolledReader(this, socket);
        writer = new PolledWriter(this, socket);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return reader.read(channel.buffers());
    }

    @Override
    public void awaitReadable() {
        clock().begin();
        long deadline = clock().deadline();
        reader.await();
        clock().watch(deadline);
        remindOfDrain();
    }

    @Override
    public void write(Payload payload, Completion completion) {
        writer.write(payload, completion);
    }

    @Override
    public void finish(Completion completion) {
        writer.finish(completion);
    }

    @Override
    public Channel channel() {
        return channel;
    }

    @Override
    public void close(@Nullable Throwable cause) {
        if (life().close(cause)) {
            socket.close();
        }
    }

    /** The socket is closed and nobody is inside a call with it any more. Any thread, once. */
    public void gone() {
        later(this::ended);
    }

    private void ended() {
        try {
            socket.forget();
            clock().stop();
            writer.closed();
        } finally {
            life().tellEnd();
            neighbours.remove(this);
            transport().left();
        }
    }

    @Override
    public boolean isWaiting() {
        return reader.isWaiting() || writer.isWaiting();
    }

    @Override
    public void overdue() {
        later(this::checkIdle);
    }

    @Override
    protected void later(Runnable task) {
        thread.execute(task);
    }

    /** A direction has ended by itself. With both ended nothing is left to do. */
    void directionEnded() {
        if (reader.isEnded() && writer.isFinished()) {
            close(null);
        }
    }

    // ---- by the polling thread

    /** Comes before all else; if it fails there is no connection. */
    void join() {
        socket.join(this);
        neighbours.add(this);
    }

    /** Sets a new connection going. */
    void begin(Consumer<Connection> onAccept) {
        try {
            onAccept.accept(this);
        } catch (Throwable thrown) {
            life().failed(thrown);
        }
    }

    /** The poller reports input, or that the socket is broken. */
    public void readReady() {
        boolean wanted;
        try {
            wanted = reader.ready();
        } catch (Throwable broken) {
            life().failed(broken);
            return;
        }
        if (wanted) {
            tellReadable();
        }
    }

    /** The poller reports room for output, or that the socket is broken. */
    public void writeReady() {
        try {
            writer.ready();
        } catch (Throwable broken) { // level-triggered: it would be reported for ever
            life().failed(broken);
        }
    }

    private void tellReadable() {
        life().tellReadable();
    }

    private void checkIdle() {
        if (isClosed()) {
            return;
        }
        if (writer.isWaiting() && clock().isOver()) {
            close(new SocketTimeoutException("the peer took nothing of a write for too long"));
        } else if (reader.isWaiting() && clock().isOver() && reader.take()) {
            life().tellIdle();
        } else if (isWaiting()) {
            clock().watch(clock().deadline());
        }
    }

    @Override
    public void drain() {
        life().tellDrain();
        if (!isClosed() && reader.take()) {
            tellReadable();
        }
    }
}
