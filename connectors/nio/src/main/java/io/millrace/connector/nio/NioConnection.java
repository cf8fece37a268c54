package io.millrace.connector.nio;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
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
final class NioConnection implements Connection {

    private static final VarHandle CLOSED;
    private static final VarHandle HANDLER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLOSED = lookup.findVarHandle(NioConnection.class, "closed", Closing.class);
            HANDLER = lookup.findVarHandle(NioConnection.class, "handler", ConnectionHandler.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final NioTransport transport;
    private final StreamConnection stream;
    private final NioReader reader;
    private final NioWriter writer;
    private final IdleClock clock;
    private volatile ConnectionHandler handler = NoHandler.NOT_YET;
    private volatile @Nullable Closing closed;
    private volatile @Nullable ConnectionInfo info;

    /** Neighbours among the connections of this I/O thread; {@link ConnectionList} only. */
    @Nullable
    NioConnection previous;

    @Nullable
    NioConnection following;

    NioConnection(NioTransport transport, StreamConnection stream, @Nullable ConnectionInfo info) {
        this.info = info;
        this.transport = transport;
        this.stream = stream;
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
        ConnectionHandler before = handler;
        if (before == NoHandler.GONE || !HANDLER.compareAndSet(this, before, next)) {
            onIoThread(() -> tellClosed(next)); // closed meanwhile: the new handler hears of it like the old one
        } else if (transport.isStopping()) {
            announceDrain(); // whoever stopped it may have told the handler before this one
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
        ConnectionInfo known = info;
        if (known == null) {
            known = new SocketInfo(stream.getLocalAddress(), stream.getPeerAddress());
            info = known;
        }
        return known;
    }

    @Override
    public BufferPool buffers() {
        return transport.buffers();
    }

    @Override
    public void close(@Nullable Throwable cause) {
        if (closed != null) {
            return;
        }
        Closing closing = new Closing(cause);
        if (CLOSED.compareAndSet(this, null, closing)) {
            try {
                info(); // a closed socket forgets its own address
            } finally {
                IoUtils.safeClose(stream);
                onIoThread(this::closed);
            }
        }
    }

    private void closed() {
        clock.stop();
        writer.fail(cause() instanceof IOException why ? why : closedException());
        ConnectionHandler last = (ConnectionHandler) HANDLER.getAndSet(this, NoHandler.GONE);
        tellClosed(last);
        neighbours().remove(this);
        transport.left();
    }

    private void tellClosed(ConnectionHandler whom) {
        try {
            whom.onClosed(cause());
        } catch (Throwable thrown) {
            NioLog.LOG.handlerFailed(thrown);
        }
    }

    boolean isClosed() {
        return closed != null;
    }

    void checkOpen() throws IOException {
        if (closed != null) {
            throw closedException();
        }
    }

    IOException closedException() {
        Throwable cause = cause();
        return cause == null
                ? new ClosedChannelException()
                : new IOException("the connection was closed: " + cause.getMessage(), cause);
    }

    private @Nullable Throwable cause() {
        Closing closing = closed;
        return closing == null ? null : closing.cause();
    }

    /** A direction has ended by itself. With both ended nothing is left to do. */
    void directionEnded() {
        if (reader.isEnded() && writer.isFinished()) {
            close(null);
        }
    }

    /** Sets a new connection going. On the I/O thread, as all below. */
    void begin(Consumer<Connection> onAccept) {
        neighbours().add(this);
        try {
            onAccept.accept(this);
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    /** There is input, and the handler waited for it. */
    void onReadable() {
        try {
            handler.onReadable();
            if (!reader.isWaiting()) {
                transport.courtesyOf(stream.getIoThread()).handedOver();
            }
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    void checkIdle() {
        if (isClosed()) {
            return;
        }
        if (writer.isWaiting() && clock.isOver()) {
            close(new SocketTimeoutException("the peer took nothing of a write for too long"));
        } else if (reader.isWaiting() && clock.isOver() && reader.take()) {
            onIdle();
        } else if (isWaiting()) {
            clock.watch(clock.deadline());
        }
    }

    private void onIdle() {
        try {
            handler.onIdle();
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    /** Tells the handler, which only takes note. Any thread, more than once. */
    void announceDrain() {
        try {
            handler.drain();
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    /** On the I/O thread: an idle connection can close itself. */
    void drain() {
        announceDrain();
        if (!isClosed() && reader.take()) {
            onReadable();
        }
    }

    /** What a handler or a completion throws is a defect of its own, and ends its connection. Any thread. */
    void failed(Throwable thrown) {
        close(thrown); // before logging, which may fail too: out of memory, out of descriptors
        NioLog.LOG.handlerFailed(thrown);
    }

    boolean isWaiting() {
        return reader.isWaiting() || writer.isWaiting();
    }

    IdleClock clock() {
        return clock;
    }

    Timers timers() {
        return transport.timers();
    }

    private ConnectionList neighbours() {
        return transport.connectionsOf(stream.getIoThread());
    }

    void onIoThread(Runnable task) {
        try {
            stream.getIoThread().execute(task);
        } catch (RejectedExecutionException stopped) {
            task.run(); // the I/O threads have ended, so nothing can run beside this
        }
    }

    /** That, and why, a connection was closed. */
    private record Closing(@Nullable Throwable cause) {}
}
