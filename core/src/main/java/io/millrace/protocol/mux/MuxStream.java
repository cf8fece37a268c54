package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.StreamResetException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response among others on a connection. Its two directions are independent: {@link StreamInput} and
 * {@link StreamOutput}; {@link StreamState} says how far both are.
 */
final class MuxStream implements HttpStream, StreamTable.Entry {

    /**
     * What is known when a stream begins.
     *
     * @param head null if the request was refused
     * @param method as far as it is known; HEAD has no body in its answer
     * @param priority null if it does not say
     * @param end there is no body
     * @param tunnel it asks for a tunnel: what comes is the tunnel's
     */
    record Opening(
            int id,
            @Nullable RequestHead head,
            String method,
            @Nullable Priority priority,
            boolean end,
            boolean tunnel) {}

    private final MuxConnection connection;
    private final int id;
    private final boolean asksForTunnel;
    private final @Nullable StreamInput input;
    private final StreamOutput output;
    private boolean expectsContinue;

    // guarded by the connection's output
    private StreamState state;
    private boolean left;

    // guarded by this
    private @Nullable Throwable lostBy;
    private @Nullable Consumer<@Nullable Throwable> closeListener;
    private @Nullable StreamTunnel tunnel;

    MuxStream(MuxConnection connection, Opening opening, int sendWindow) {
        this.connection = connection;
        id = opening.id();
        asksForTunnel = opening.tunnel();
        MuxOptions options = connection.context().options();
        RequestHead head = opening.head();
        Priority priority = opening.priority();
        output = new StreamOutput(this, priority == null ? options.priority() : priority, sendWindow, opening.method());
        state = opening.end() ? StreamState.HALF_CLOSED_REMOTE : StreamState.OPEN;
        input = opening.end()
                ? null
                : new StreamInput(
                        connection.channel().buffers(),
                        options.initialWindow(),
                        options.streamWindow(),
                        head == null || asksForTunnel ? -1 : head.contentLength());
        expectsContinue = input != null
                && head != null
                && "100-continue".equalsIgnoreCase(head.headers().get("expect"));
    }

    @Override
    public int id() {
        return id;
    }

    MuxConnection connection() {
        return connection;
    }

    StreamOutput out() {
        return output;
    }

    /** Null if the request has no body. */
    @Nullable
    StreamInput in() {
        return input;
    }

    // ---- with the connection's output lock

    StreamState state() {
        return state;
    }

    boolean isOver() {
        return state.isOver();
    }

    boolean isOwnOpen() {
        return state.isOwnOpen();
    }

    boolean isPeerOpen() {
        return state.isPeerOpen();
    }

    /** False if that can't happen any more. */
    boolean move(StreamState.Event event) {
        StreamState to = StreamState.next(state, event);
        state = to == null ? state : to;
        return to != null;
    }

    /** Our side has ended. */
    void ownEnded() {
        connection.output().ownEnded(this);
    }

    /** Its exchange is over. False if it was. */
    boolean leave() {
        boolean first = !left;
        left = true;
        return first;
    }

    // ---- the request's body

    @Override
    public @Nullable Chunk read() throws IOException {
        return asksForTunnel ? Chunk.END : readRaw();
    }

    @Nullable
    Chunk readRaw() throws IOException {
        StreamInput from = input;
        if (from == null) {
            return Chunk.END;
        }
        askForBody();
        Chunk chunk = from.read();
        grant(from);
        return chunk;
    }

    @Override
    public void awaitReadable(Runnable ready) {
        if (asksForTunnel) {
            ready.run();
        } else {
            awaitRaw(ready);
        }
    }

    void awaitRaw(Runnable ready) {
        StreamInput from = input;
        if (from == null) {
            ready.run();
            return;
        }
        askForBody();
        grant(from);
        if (from.await(ready)) {
            connection.sweep().watch();
        } else {
            ready.run();
        }
    }

    private void grant(StreamInput to) {
        int more = to.grant(!connection.channel().buffers().isHalfLent());
        if (more > 0) {
            connection.output().grant(this, more);
        }
    }

    /** Not if the body is coming anyway (RFC 9110, 10.1.1). */
    private void askForBody() {
        if (expectsContinue) {
            expectsContinue = false;
            if (input != null && !input.isReadable()) {
                connection.output().inform(this, Status.CONTINUE, new Headers());
            }
        }
    }

    @Override
    public @Nullable Headers trailers() {
        return input == null ? null : input.trailers();
    }

    // ---- the response

    @Override
    public void inform(int status, Headers headers, Completion completion) {
        if (status < 100 || status > 199 || status == Status.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException("the status is " + status + "; expected an interim one, not 101");
        }
        expectsContinue &= status != Status.CONTINUE;
        connection.output().inform(this, status, headers);
        completion.done(null);
    }

    @Override
    public void send(@Nullable ResponseHead head, Payload body, boolean last, Completion completion) {
        connection.output().send(this, head, body, last, completion);
    }

    @Override
    public void tunnel(ResponseHead head, Duration idleTimeout, Consumer<HttpStream> opened) {
        if (!asksForTunnel) {
            throw new UnsupportedOperationException("the request did not ask for a tunnel (RFC 8441, 4)");
        }
        if (!output.isIdle()) {
            throw new IllegalStateException("the response has begun; a tunnel comes instead of it");
        }
        if (head.status() != Status.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException("the status is " + head.status() + "; expected 101");
        }
        ResponseHead accepted = new ResponseHead().status(Status.OK);
        for (int i = 0; i < head.headers().size(); i++) {
            if (!ConnectionFields.contains(head.headers().name(i))) {
                accepted.headers().add(head.headers().name(i), head.headers().value(i));
            }
        }
        StreamTunnel made = new StreamTunnel(this, idleTimeout);
        synchronized (this) {
            tunnel = made;
        }
        connection.output().send(this, accepted, Payload.NOTHING, false, failure -> {
            if (failure == null) {
                made.begin();
                opened.accept(made);
            }
        });
    }

    // ---- the end

    @Override
    public void end() {
        connection.output().end(this);
    }

    @Override
    public void abort(@Nullable Throwable cause) {
        connection.output().abort(this, cause);
    }

    @Override
    public void onClosed(Consumer<@Nullable Throwable> listener) {
        Throwable cause;
        synchronized (this) {
            if (lostBy == null) {
                closeListener = listener;
                return;
            }
            cause = lostBy;
        }
        listener.accept(cause);
    }

    /** Reset by either side, or the connection is closed. Once, without a lock. */
    void lost(Throwable why) {
        Consumer<@Nullable Throwable> told;
        synchronized (this) {
            if (lostBy != null) {
                return;
            }
            lostBy = why;
            told = closeListener;
            closeListener = null;
        }
        try {
            if (input != null) {
                input.fail(new IOException("the stream ended within the request's body", why));
            }
        } finally {
            if (told != null) {
                told.accept(why);
            }
        }
    }

    /** Why nothing can be sent any more. */
    synchronized Throwable failure() {
        return lostBy == null ? new IOException("the stream has ended") : lostBy;
    }

    /** Nobody reads the body any more. */
    void discard() {
        if (input != null) {
            input.discard();
        }
    }

    /** The server stops. */
    void drain() {
        StreamTunnel told;
        synchronized (this) {
            told = tunnel;
        }
        if (told != null) {
            told.drain();
        }
    }

    /** Gives up what the peer lets wait too long. True if something waits for it still. */
    boolean sweep(long now) {
        StreamTunnel made;
        synchronized (this) {
            made = tunnel;
        }
        if (made != null) {
            return made.sweep(now);
        }
        StreamInput from = input;
        Duration limit = connection.context().options().uploadTimeout();
        if (from == null || limit.isZero() || !from.isAwaited()) {
            return false;
        }
        if (!from.isOverdue(now - MuxConnection.nanos(limit))) {
            return true;
        }
        from.fail(new ProtocolException(
                Status.REQUEST_TIMEOUT, "The request's body was refused: found nothing of it within " + limit));
        return false;
    }

    /** The peer has reset it. */
    static IOException resetByPeer(Fault fault) {
        return new StreamResetException(fault.reason(), "the client reset the stream: " + fault);
    }

    @Override
    public Channel channel() {
        return connection.channel();
    }
}
