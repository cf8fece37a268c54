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
 * The handler of a connection, and whether and why the connection is closed. An exception of a handler is a bug in it,
 * and closes its connection. Thread-safe, except for the calls of the handler, which are made on the thread that the
 * transport determines.
 */
public final class ConnectionLife {

    private static final VarHandle CLOSED = AtomicField.of(MethodHandles.lookup(), "closed", Closing.class);
    private static final VarHandle HANDLER = AtomicField.of(MethodHandles.lookup(), "handler", ConnectionHandler.class);

    private final Connection connection;
    private volatile ConnectionHandler handler = NoHandler.NOT_YET;
    private volatile @Nullable Closing closed;

    /** An open connection without a handler. */
    public ConnectionLife(Connection connection) {
        this.connection = connection;
    }

    /**
     * Sets the current handler. False if the end has already been reported: the caller then arranges a call of {@link
     * #notifyClosed(ConnectionHandler)} for this one too, on the thread that calls handlers.
     */
    public boolean install(ConnectionHandler next) {
        ConnectionHandler before = handler;
        return before != NoHandler.GONE && HANDLER.compareAndSet(this, before, next);
    }

    /**
     * Marks the connection as closed. True for the first call only: the caller then closes the socket and arranges
     * {@link #notifyEnd}.
     */
    public boolean close(@Nullable Throwable cause) {
        return closed == null && CLOSED.compareAndSet(this, null, new Closing(cause));
    }

    /** Whether {@link #close} has been called. */
    public boolean isClosed() {
        return closed != null;
    }

    /** Throws {@link #closedException} if closed. */
    public void checkOpen() throws IOException {
        if (closed != null) {
            throw closedException();
        }
    }

    /** The exception for calls on the connection after it was closed. */
    public IOException closedException() {
        Throwable cause = cause();
        return cause == null
                ? new ClosedChannelException()
                : new IOException("the connection was closed: " + cause.getMessage(), cause);
    }

    /** The exception for a write that was in progress when the connection was closed. */
    public IOException whyClosed() {
        return cause() instanceof IOException why ? why : closedException();
    }

    private @Nullable Throwable cause() {
        Closing closing = closed;
        return closing == null ? null : closing.cause();
    }

    /** Calls {@link ConnectionHandler#onReadable}. */
    public void notifyReadable() {
        try {
            handler.onReadable();
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    /** Calls {@link ConnectionHandler#onIdle}. */
    public void notifyIdle() {
        try {
            handler.onIdle();
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    /** Calls {@link ConnectionHandler#drain}. Thread-safe; may be called more than once. */
    public void notifyDrain() {
        try {
            handler.drain();
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    /** Calls {@link ConnectionHandler#onClosed}, the last call. False if it has been called already. */
    public boolean notifyEnd() {
        ConnectionHandler last = (ConnectionHandler) HANDLER.getAndSet(this, NoHandler.GONE);
        if (last == NoHandler.GONE) {
            return false;
        }
        notifyClosed(last);
        return true;
    }

    /** Calls {@link ConnectionHandler#onClosed} of a handler that was installed too late. */
    public void notifyClosed(ConnectionHandler late) {
        try {
            late.onClosed(cause());
        } catch (Throwable thrown) {
            if (ShortageLogging.isDue(thrown)) {
                SocketLog.LOG.handlerFailed(thrown);
            }
        }
    }

    /** Closes the connection because a handler or a completion threw. */
    public void failed(Throwable thrown) {
        connection.close(thrown); // before logging, which may fail too: out of memory, out of descriptors
        if (ShortageLogging.isDue(thrown)) {
            SocketLog.LOG.handlerFailed(thrown);
        }
    }

    /** The fact that the connection was closed, and the cause. */
    private record Closing(@Nullable Throwable cause) {}
}
