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
 * One request and its response on a {@link SerialConnection}: how its body is awaited, how it ends, and who goes on with the
 * connection then. The protocol says how a body is read and a response written.
 *
 * <p><b>Threads.</b> As those of {@link HttpStream}; the protocol's methods are called by the owner of the exchange, and
 * after its end by the connection's.
 */
public abstract class SerialStream implements HttpStream {

    private final SerialConnection connection;
    private final RequestHead request;
    private final DispatchCall call = new DispatchCall();
    private final CloseNotice notice = new CloseNotice();
    private @Nullable Runnable waiting;
    private @Nullable IOException failure;

    /** The request that the connection's codec has read, on the thread that dispatches it. */
    protected SerialStream(SerialConnection connection, RequestHead request) {
        this.connection = connection;
        this.request = request;
    }

    // ---- what the protocol says of the request

    /** As {@link #read}: what it throws is thrown again whenever it is read again. */
    protected abstract @Nullable Chunk readBody() throws IOException;

    /** Does {@link #readBody} answer without more input? */
    protected abstract boolean isBodyAtHand();

    /**
     * The wait for more of the body begins: asks the peer for it, if it has to be asked.
     *
     * @return how long it may last; zero for no timeout
     */
    protected abstract Duration beginWait();

    /** It is over. */
    protected void endWait() {}

    /** It was too long: what the reader of the body gets thrown. Writes the line for the operator. */
    protected abstract IOException overdue();

    /**
     * After the exchange: drops what is left of the request, as far as it came.
     *
     * @return HANDLED: another request may follow; PART_OF_BODY: more of it has to come; LAST: none may follow
     * @throws IOException if the connection is of no use any more, not even for what is still being sent
     */
    protected abstract Next finish() throws IOException;

    /**
     * Would the client take the end of the connection for that of the response? Then a response that breaks off ends by a reset. Any
     * thread.
     */
    protected boolean isEndedByClose() {
        return false;
    }

    /** May another request follow on the connection? Asked after the exchange. */
    protected abstract boolean isPersistent();

    /** Was all of the request read? */
    protected abstract boolean isAllUsed();

    /** Has the peer announced that it sends nothing after this request? */
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

    /** The wait for the body is over, for better or worse. */
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

    /** The wait for the body was too long. */
    final void bodyOverdue() {
        endWait();
        bodyReadable(overdue());
    }

    /** Reading the body fails from now on. */
    protected final void fail(IOException why) {
        failure = why;
    }

    /** Has reading the body failed? */
    protected final boolean isFailed() {
        return failure != null;
    }

    // ---- the response

    @Override
    public final void inform(int status, Headers headers, Completion completion) {
        if (status < 100 || status > 199 || status == Status.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException("the status is " + status + "; expected an interim one, not 101");
        }
        sendInterim(status, headers, completion);
    }

    /** As {@link #inform}, with an interim status. Where the protocol or the peer knows none, only the completion runs. */
    protected void sendInterim(int status, Headers headers, Completion completion) {
        connection.outbox().send(completion);
    }

    // ---- the end

    /** The response was sent whole, and the exchange is over: the connection goes on, on this thread or on its loop's. */
    protected final void ended() {
        if (call.ended()) {
            connection.continueAfter(this);
        }
    }

    /** The dispatching call has returned. True if the exchange is over, and the caller goes on. */
    final boolean dispatched() {
        return call.returned();
    }

    @Override
    public final void abort(@Nullable Throwable cause) {
        if (isEndedByClose()) {
            connection.transport().reset(cause);
        } else {
            connection.transport().close(cause); // what was sent arrives, and its framing says that it is not all
        }
    }

    @Override
    public final void onClosed(Consumer<@Nullable Throwable> listener) {
        if (notice.register(listener)) {
            connection.watch();
        }
    }

    /**
     * The connection was closed before the exchange was over. Once, on the connection's thread.
     *
     * @param waited was the body awaited?
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

    // ---- what it is on

    /** The connection that it shares with the requests before and after it. */
    protected final SerialConnection connection() {
        return connection;
    }

    /** The request's head. */
    protected final RequestHead request() {
        return request;
    }

    @Override
    public Channel channel() {
        return connection.transport().channel();
    }
}
