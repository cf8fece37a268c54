package io.millrace.client.serial;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.http.ResponseHead;
import io.millrace.io.AtomicField;
import io.millrace.io.Connection;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request, and its response, on a connection that serves one at a time: waiting for input, and notification of the
 * listener. Subclasses add the protocol's syntax.
 *
 * <p><b>Threads.</b> One thread sends, one reads: the connection's thread up to the response's head, afterwards the
 * listener's.
 */
public abstract class SerialClientStream implements ClientStream {

    private static final VarHandle NOTIFIED = AtomicField.of(MethodHandles.lookup(), "notified", boolean.class);

    private final SerialClientSession session;
    private final ResponseListener listener;

    /** Set by the thread that reports the outcome to the listener: the reader, or the thread that closes the connection. */
    @SuppressWarnings("UnusedVariable") // accessed by its handle
    private volatile boolean notified;

    private volatile boolean read;

    // guarded by this
    private @Nullable Runnable waiting;
    private @Nullable ClientException closed;

    /** A request that has not been sent. */
    protected SerialClientStream(SerialClientSession session, ResponseListener listener) {
        this.session = session;
        this.listener = listener;
    }

    /** Why this protocol cannot send the request; null if it can. */
    protected @Nullable ClientException refusal() {
        return null;
    }

    /** Sends the request's head: the connection now belongs to this request. Called on any thread. */
    protected abstract void begin();

    /** Reads the head of the response, when input or its end is available. Called on the connection's thread. */
    protected abstract void readHead() throws IOException;

    /** Whether the head of the response has been read. */
    protected abstract boolean isAnswered();

    /** Called when nothing arrived for the connection's idle timeout. */
    protected abstract void onIdle();

    /** Whether the server may have processed the request, if the connection were closed now. */
    protected abstract Processed processed();

    /** Stops sending and reading. False if both were complete. */
    protected abstract boolean cut();

    /** The session of this stream's connection. */
    protected final SerialClientSession session() {
        return session;
    }

    /** The connection of this stream. */
    protected final Connection connection() {
        return session.connection();
    }

    /** The listener for the response. */
    protected final ResponseListener listener() {
        return listener;
    }

    /** Whether the request cannot be sent; the listener has been notified. */
    boolean refuse() {
        ClientException why = refusal();
        if (why == null) {
            return false;
        }
        markRead(); // there is nothing to abort
        notified = true;
        listener.onFailed(why);
        return true;
    }

    // ---- the response

    /** Called on the connection's thread. */
    void onReadable() {
        if (isAnswered()) {
            runWaiting();
            return;
        }
        try {
            readHead();
        } catch (IOException broken) {
            connection().reset(broken);
        }
    }

    /** Reports the head of the final response. */
    protected final void tell(ResponseHead head) {
        if (NOTIFIED.compareAndSet(this, false, true)) {
            listener.onHead(this, head);
        }
    }

    @Override
    public final boolean isRead() {
        return read;
    }

    /** Records that the response has been read to its end. */
    protected final void markRead() {
        read = true;
    }

    @Override
    public final void awaitReadable(Runnable ready) {
        boolean now;
        synchronized (this) {
            now = read || closed != null || session.input().hasUnread();
            if (!now) {
                waiting = ready;
            }
        }
        if (now) {
            ready.run();
        } else {
            connection().awaitReadable();
        }
    }

    private void runWaiting() {
        Runnable ready;
        synchronized (this) {
            ready = waiting;
            waiting = null;
        }
        if (ready != null) {
            ready.run();
        }
    }

    // ---- the end

    /** The exception for a response that is invalid or ambiguous; the connection is closed. */
    protected static ClientException malformed(String what) {
        return new ClientException(Reason.MALFORMED, Processed.YES, "invalid response from the server: " + what, null);
    }

    /** Resets the connection because the server sent nothing for this time. */
    protected final void timedOut(Duration timeout) {
        connection()
                .reset(new ClientException(
                        Reason.TIMED_OUT,
                        processed(),
                        "the server sent nothing for " + timeout.toMillis() + " ms",
                        null));
    }

    @Override
    public final void abort(@Nullable Throwable cause) {
        if (!read && cut()) {
            connection().reset(new ClientException(Reason.ABORTED, Processed.MAYBE, "the request was aborted", cause));
        }
    }

    /** Called when the connection was closed before any of the request was sent. */
    void closedUnsent(@Nullable Throwable cause) {
        fail(failure(cause, Processed.NO));
    }

    /** Called when the connection is closed. */
    void closed(@Nullable Throwable cause) {
        fail(failure(cause, processed()));
    }

    private static ClientException failure(@Nullable Throwable cause, Processed processed) {
        if (cause instanceof ClientException known) {
            return known;
        }
        String when = switch (processed) {
            case NO -> "before the request was sent";
            case MAYBE -> "before it responded";
            case YES -> "before its response was complete";
        };
        return new ClientException(Reason.CLOSED, processed, "the server closed the connection " + when, cause);
    }

    private void fail(ClientException failure) {
        synchronized (this) {
            closed = failure;
        }
        cut();
        try {
            if (!read
                    && NOTIFIED.compareAndSet(
                            this, false, true)) { // the outcome of a response that was read is reported by its reader
                listener.onFailed(failure);
            }
        } finally {
            runWaiting();
        }
    }

    /** Why the connection is closed; null while it is open. */
    protected final synchronized @Nullable ClientException closed() {
        return closed;
    }
}
