package io.millrace.protocol.serial;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.Status;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.serial.SerialCodec.Next;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response on a {@link SerialConnection}: waiting for the body, the end, and the continuation of the
 * connection. Subclasses read bodies and write responses.
 *
 * <p><b>Threads.</b> See {@link HttpStream}; the abstract methods are called by the owner of the exchange, and after its
 * end by the connection's owner.
 */
public abstract class SerialStream implements HttpStream {

    private final SerialConnection connection;
    private final RequestHead request;
    private final DispatchCall call = new DispatchCall();
    private final CloseNotice notice = new CloseNotice();
    private @Nullable Runnable waiting;
    private @Nullable IOException failure;

    /** A request that the codec has read. Called on the thread that dispatches it. */
    protected SerialStream(SerialConnection connection, RequestHead request) {
        this.connection = connection;
        this.request = request;
    }

    // ---- implemented by the protocol

    /** See {@link #read}. An exception is thrown again by every later read. */
    protected abstract @Nullable Chunk readBody() throws IOException;

    /** Whether {@link #readBody} returns a result without further input. */
    protected abstract boolean isBodyAtHand();

    /**
     * Called when a wait for the body starts: asks the peer for more, if the protocol requires it.
     *
     * @return the timeout of the wait; zero for none
     */
    protected abstract Duration beginWait();

    /** Called when the wait for the body has ended. */
    protected void endWait() {}

    /** Called when the wait for the body has timed out. Logs it, and returns the exception for the reader. */
    protected abstract IOException overdue();

    /**
     * Called after the exchange: discards the available rest of the request.
     *
     * @return HANDLED: another request may follow; PART_OF_BODY: more of the body is to come; LAST: no request may
     *     follow
     * @throws IOException if the connection must be closed immediately
     */
    protected abstract Next finish() throws IOException;

    /**
     * Whether the end of the connection is the end of the response for the client. An aborted response then ends with a
     * reset. Safe to call from any thread.
     */
    protected boolean isEndedByClose() {
        return false;
    }

    /** Whether another request may follow on the connection. Called after the exchange. */
    protected abstract boolean isPersistent();

    /** Whether the entire request was read. */
    protected abstract boolean isAllUsed();

    /** Whether the peer has announced that it will send nothing after this request. */
    protected boolean isPeersLast() {
        return false;
    }

    // ---- the request's body

    @Override
    public final @Nullable Chunk read() throws IOException {
        if (failure != null) {
            throw failure;
        }
        try {
            return readBody();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void awaitReadable(Runnable ready) {
        if (failure != null || isBodyAtHand() || connection.input().hasUnread()) {
            ready.run();
            return;
        }
        waiting = ready;
        connection.awaitBody(this, beginWait());
    }

    /** Called when the wait for the body has ended, with input or a failure. */
    final void bodyReadable(@Nullable IOException problem) {
        endWait();
        if (problem != null) {
            failure = problem;
        }
        Runnable ready = waiting;
        waiting = null;
        if (ready != null) {
            ready.run();
        }
    }

    /** Called when the wait for the body has timed out. */
    final void bodyOverdue() {
        endWait();
        bodyReadable(overdue());
    }

    /** Makes reading the body fail from now on. */
    protected final void fail(IOException why) {
        failure = why;
    }

    /** Whether reading the body has failed. */
    protected final boolean isFailed() {
        return failure != null;
    }

    // ---- the response

    @Override
    public final void inform(int status, Headers headers, Completion completion) {
        if (status < 100 || status > 199 || status == Status.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException("the status is " + status + "; expected 100 to 199, except 101");
        }
        sendInterim(status, headers, completion);
    }

    /**
     * Sends an interim response; see {@link #inform}. Where the protocol or the peer does not support it, only calls the
     * completion.
     */
    protected void sendInterim(int status, Headers headers, Completion completion) {
        connection.outbox().send(completion);
    }

    // ---- the end

    /**
     * The response has been sent completely, and the exchange has ended: the connection continues on this thread or in
     * its loop.
     */
    protected final void ended() {
        if (call.ended()) {
            connection.continueAfter(this);
        }
    }

    /** The dispatching call has returned. True if the exchange has ended, and the caller continues. */
    final boolean dispatched() {
        return call.returned();
    }

    @Override
    public final void abort(@Nullable Throwable cause) {
        if (isEndedByClose()) {
            connection.transport().reset(cause);
        } else {
            connection.transport().close(cause); // what was sent arrives, and its framing shows that it is incomplete
        }
    }

    @Override
    public final void onClosed(Consumer<@Nullable Throwable> listener) {
        if (notice.register(listener)) {
            connection.watch();
        }
    }

    /**
     * Called once on the connection's thread, if the connection was closed before the end of the exchange.
     *
     * @param waited whether the body was awaited
     */
    final void connectionClosed(boolean waited, @Nullable Throwable cause) {
        try {
            if (waited) {
                bodyReadable(new IOException("the connection was closed within the request's body", cause));
            }
        } finally {
            notice.closed(cause);
        }
    }

    // ---- the connection

    /** The connection, which is shared with other requests. */
    protected final SerialConnection connection() {
        return connection;
    }

    /** The head of the request. */
    protected final RequestHead request() {
        return request;
    }

    @Override
    public Channel channel() {
        return connection.transport().channel();
    }

    /**
     * Notifies an exchange that waits for something other than its connection when the connection is closed, whichever comes
     * first.
     */
    private static final class CloseNotice {

        // guarded by this
        private @Nullable Consumer<@Nullable Throwable> listener;
        private boolean closed;
        private @Nullable Throwable cause;

        /** Replaces the previous listener. If the connection is already closed, calls this one immediately and returns false. */
        boolean register(Consumer<@Nullable Throwable> next) {
            Throwable why;
            synchronized (this) {
                if (!closed) {
                    listener = next;
                    return true;
                }
                why = cause;
            }
            next.accept(why);
            return false;
        }

        /** Called once when the connection is closed. */
        void closed(@Nullable Throwable why) {
            Consumer<@Nullable Throwable> notified;
            synchronized (this) {
                closed = true;
                cause = why;
                notified = listener;
                listener = null;
            }
            if (notified != null) {
                notified.accept(why);
            }
        }
    }
}
