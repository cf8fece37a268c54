package io.millrace.client.serial;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.http.ResponseHead;
import io.millrace.io.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request on a connection that serves one at a time, and its response: who waits for input, and how the listener learns of the
 * end. A protocol adds how both are written.
 *
 * <p><b>Threads.</b> One sends, one reads: the connection's thread up to the response's head, then whoever the listener is.
 */
public abstract class SerialClientStream implements ClientStream {

    private final SerialClientSession session;
    private final ResponseListener listener;

    /** Set by whoever tells the listener how it ends: the reader, or the thread that closes the connection. */
    private final AtomicBoolean told = new AtomicBoolean();

    private volatile boolean read;

    // guarded by this
    private @Nullable Runnable waiting;
    private @Nullable ClientException closed;

    /** A request that has sent nothing. */
    protected SerialClientStream(SerialClientSession session, ResponseListener listener) {
        this.session = session;
        this.listener = listener;
    }

    /** Why this protocol has no way to send it; null if it has. */
    protected @Nullable ClientException refusal() {
        return null;
    }

    /** The connection is this request's now: sends its head. Any thread. */
    protected abstract void begin();

    /** There is input, or its end, and the head of the response was not read. On the connection's thread. */
    protected abstract void readHead() throws IOException;

    /** Was that read? */
    protected abstract boolean isAnswered();

    /** Nothing came for the connection's idle timeout. */
    protected abstract void onIdle();

    /** Whether the server may have acted on the request, if the connection closed now. */
    protected abstract Processed processed();

    /** Gives up what is being sent and read. False if both were over. */
    protected abstract boolean cut();

    /** Its connection's session. */
    protected final SerialClientSession session() {
        return session;
    }

    /** What it is on. */
    protected final Connection connection() {
        return session.connection();
    }

    /** Who learns of the response. */
    protected final ResponseListener listener() {
        return listener;
    }

    /** True: it can't be sent, and the listener was told. */
    boolean refuse() {
        ClientException why = refusal();
        if (why == null) {
            return false;
        }
        markRead(); // there is nothing to abort
        told.set(true);
        listener.onFailed(why);
        return true;
    }

    // ---- the response

    /** On the connection's thread. */
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

    /** The final response begins. */
    protected final void tell(ResponseHead head) {
        if (told.compareAndSet(false, true)) {
            listener.onHead(this, head);
        }
    }

    @Override
    public final boolean isRead() {
        return read;
    }

    /** The last octet of the response was read. */
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

    /** What a response that can be read in two ways, or in none, closes the connection with. */
    protected static ClientException malformed(String what) {
        return new ClientException(Reason.MALFORMED, Processed.YES, "the server's response is refused: " + what, null);
    }

    /** Resets the connection: the server sent nothing for this time. */
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
            connection().reset(new ClientException(Reason.ABORTED, Processed.MAYBE, "the request was given up", cause));
        }
    }

    /** The connection was closed before any of the request was sent. */
    void closedUnsent(@Nullable Throwable cause) {
        fail(failure(cause, Processed.NO));
    }

    /** The connection is closed. */
    void closed(@Nullable Throwable cause) {
        fail(failure(cause, processed()));
    }

    private static ClientException failure(@Nullable Throwable cause, Processed processed) {
        if (cause instanceof ClientException known) {
            return known;
        }
        String when = switch (processed) {
            case NO -> "before the request was sent";
            case MAYBE -> "before it had answered";
            case YES -> "within its response";
        };
        return new ClientException(Reason.CLOSED, processed, "the server closed the connection " + when, cause);
    }

    private void fail(ClientException failure) {
        synchronized (this) {
            closed = failure;
        }
        cut();
        try {
            if (!read && told.compareAndSet(false, true)) { // one that was read is told of by its reader
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
