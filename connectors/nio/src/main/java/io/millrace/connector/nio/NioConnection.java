package io.millrace.connector.nio;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.io.socket.ConnectionLife;
import io.millrace.io.socket.IdleClock;
import io.millrace.io.socket.Linked;
import io.millrace.io.socket.SocketInfo;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Waiting;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;

/**
 * One socket. Its handler is called on its I/O thread; bytes are read and written by whoever owns it, on that thread. What
 * goes in is the {@link NioReader}'s, what goes out the {@link NioWriter}'s; here is what concerns both.
 */
final class NioConnection extends Linked<NioConnection> implements Connection, Waiting {

    private final SocketTransport transport;
    private final SocketChannel socket;
    private final NioThread thread;
    private final ConnectionInfo info;
    private final NioReader reader;
    private final NioWriter writer;
    private final IdleClock clock;
    private final ConnectionLife life;

    NioConnection(SocketTransport transport, NioThread thread, SocketChannel socket, StreamConnection stream)
            throws IOException {
        this.transport = transport;
        this.socket = socket;
        this.thread = thread;
        info = new SocketInfo(socket.getLocalAddress(), socket.getRemoteAddress());
        life = new ConnectionLife(this);
        clock = new IdleClock(this);
        reader = new NioReader(this, stream.getSourceChannel().getConduit());
        writer = new NioWriter(this, stream.getSinkChannel().getConduit());
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return reader.read(transport.buffers());
    }

    @Override
    public void awaitReadable() {
        clock.begin();
        long deadline = clock.deadline();
        reader.await();
        clock.watch(deadline);
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
    public void install(ConnectionHandler next) {
        if (!life.install(next)) {
            onIoThread(() -> life.tellClosed(next)); // closed meanwhile: the new handler hears of it like the old one
        } else if (transport.isStopping()) {
            life.tellDrain(); // whoever stopped it may have told the handler before this one
        }
    }

    @Override
    public void idleTimeout(Duration timeout) {
        clock.timeout(timeout);
    }

    @Override
    public boolean mayBlock() {
        return false;
    }

    @Override
    public ConnectionInfo info() {
        return info;
    }

    @Override
    public BufferPool buffers() {
        return transport.buffers();
    }

    /**
     * Closes the socket itself, not XNIO's connection: that polls once for each, so that ten thousand which are reset at
     * once would be looked at ten thousand times. The descriptor goes when the thread polls next, which the task that
     * tells the end sees to.
     */
    @Override
    public void close(@Nullable Throwable cause) {
        if (life.close(cause)) {
            IoUtils.safeClose(socket);
            onIoThread(this::closed);
        }
    }

    private void closed() {
        clock.stop();
        writer.fail(life.whyClosed());
        life.tellEnd();
        thread.connections().remove(this);
        transport.left();
    }

    /** A direction has ended by itself. With both ended nothing is left to do. */
    void directionEnded() {
        if (reader.isEnded() && writer.isFinished()) {
            close(null);
        }
    }

    /** Sets a new connection going. On the I/O thread, as all below. */
    void begin(Consumer<Connection> onAccept) {
        thread.connections().add(this);
        try {
            onAccept.accept(this);
        } catch (Throwable thrown) {
            life.failed(thrown);
        }
    }

    /** There is input, and the handler waited for it. */
    void onReadable() {
        life.tellReadable();
        if (!reader.isWaiting()) {
            thread.courtesy().handedOver();
        }
    }

    /** The clock says so, or said so a moment ago. */
    @Override
    public void overdue() {
        onIoThread(this::checkIdle);
    }

    private void checkIdle() {
        if (isClosed()) {
            return;
        }
        if (writer.isWaiting() && clock.isOver()) {
            close(new SocketTimeoutException("the peer took nothing of a write for too long"));
        } else if (reader.isWaiting() && clock.isOver() && reader.take()) {
            life.tellIdle();
        } else if (isWaiting()) {
            clock.watch(clock.deadline());
        }
    }

    /** On the I/O thread: an idle connection can close itself. */
    void drain() {
        life.tellDrain();
        if (!isClosed() && reader.take()) {
            onReadable();
        }
    }

    @Override
    public boolean isClosed() {
        return life.isClosed();
    }

    @Override
    public boolean isWaiting() {
        return reader.isWaiting() || writer.isWaiting();
    }

    ConnectionLife life() {
        return life;
    }

    IdleClock clock() {
        return clock;
    }

    @Override
    public Timers timers() {
        return transport.timers();
    }

    void onIoThread(Runnable task) {
        try {
            thread.io().execute(task);
        } catch (RejectedExecutionException stopped) {
            task.run(); // the I/O threads have ended, so nothing can run beside this
        }
    }
}
