package io.millrace.io.socket;

import io.millrace.io.AtomicField;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.NoHandler;
import io.millrace.io.ShortageLogging;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * A connection's handler, and whether and why the connection is closed. What a handler throws is a defect of its own, and
 * ends its connection. Any thread, but for the calls of the handler: those are made where the transport says.
 */
public final class ConnectionLife {

    private static final VarHandle CLOSED = AtomicField.of(MethodHandles.lookup(), "closed", Closing.class);
    private static final VarHandle HANDLER = AtomicField.of(MethodHandles.lookup(), "handler", ConnectionHandler.class);

    private final Connection connection;
    private volatile ConnectionHandler handler = NoHandler.NOT_YET;
    private volatile @Nullable Closing closed;

    /** Open, without a handler. */
    public ConnectionLife(Connection connection) {
        this.connection = connection;
    }

    /**
     * Makes a handler the current one. False if the end has been told already: the caller arranges that {@link
     * #tellClosed(ConnectionHandler)} tells this one too, on the thread on which handlers are called.
     */
    public boolean install(ConnectionHandler next) {
        ConnectionHandler before = handler;
        return before != NoHandler.GONE && HANDLER.compareAndSet(this, before, next);
    }

    /** Closed from now on. True once, for the one who then closes the socket and sees to {@link #tellEnd}. */
    public boolean close(@Nullable Throwable cause) {
        return closed == null && CLOSED.compareAndSet(this, null, new Closing(cause));
    }

    /** Has {@link #close} been called? */
    public boolean isClosed() {
        return closed != null;
    }

    /** Throws {@link #closedException} if closed. */
    public void checkOpen() throws IOException {
        if (closed != null) {
            throw closedException();
        }
    }

    /** Thrown at callers that use it although it is closed. */
    public IOException closedException() {
        Throwable cause = cause();
        return cause == null
                ? new ClosedChannelException()
                : new IOException("the connection was closed: " + cause.getMessage(), cause);
    }

    /** For the write that was under way when it was closed. */
    public IOException whyClosed() {
        return cause() instanceof IOException why ? why : closedException();
    }

    private @Nullable Throwable cause() {
        Closing closing = closed;
        return closing == null ? null : closing.cause();
    }

    /** There may be something to read. */
    public void tellReadable() {
        try {
            handler.onReadable();
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    /** The peer has sent nothing for too long. */
    public void tellIdle() {
        try {
            handler.onIdle();
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    /** The transport stops; the handler only takes note. Any thread, more than once. */
    public void tellDrain() {
        try {
            handler.drain();
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    /** The last call of all. False if it was made already. */
    public boolean tellEnd() {
        ConnectionHandler last = (ConnectionHandler) HANDLER.getAndSet(this, NoHandler.GONE);
        if (last == NoHandler.GONE) {
            return false;
        }
        tellClosed(last);
        return true;
    }

    /** Tells one that came too late to be installed. */
    public void tellClosed(ConnectionHandler late) {
        try {
            late.onClosed(cause());
        } catch (Throwable thrown) {
            if (ShortageLogging.isDue(thrown)) {
                SocketLog.LOG.handlerFailed(thrown);
            }
        }
    }

    /** A handler or a completion threw this. */
    public void failed(Throwable thrown) {
        connection.close(thrown); // before logging, which may fail too: out of memory, out of descriptors
        if (ShortageLogging.isDue(thrown)) {
            SocketLog.LOG.handlerFailed(thrown);
        }
    }

    /** That, and why, a connection was closed. */
    private record Closing(@Nullable Throwable cause) {}
}
