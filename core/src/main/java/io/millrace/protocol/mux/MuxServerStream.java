package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.protocol.BodyRate;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.PushStream;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request from a client, and its response. */
final class MuxServerStream extends MuxStream implements HttpStream, PushStream {

    /**
     * The parameters of a new stream.
     *
     * @param head the head of the request; null if it was rejected
     * @param method the method, as far as it is known: the response to HEAD has no body
     * @param priority null if the request has none
     * @param end whether there is no body
     * @param tunnel whether the request is for a tunnel, to which all DATA belongs
     */
    record Opening(
            int id,
            @Nullable RequestHead head,
            String method,
            @Nullable Priority priority,
            boolean end,
            boolean tunnel) {}

    /** The timeout of the rest of a body that is discarded, if uploads have no timeout. */
    private static final Duration REST = Duration.ofSeconds(20);

    private final MuxServerConnection server;
    private final @Nullable RequestHead head;
    private final boolean asksForTunnel;
    private boolean expectsContinue;

    /** Guarded by the {@link MuxLock}. */
    private boolean heldBack;

    // guarded by this
    private @Nullable Consumer<@Nullable Throwable> closeListener;
    private @Nullable StreamTunnel tunnel;

    MuxServerStream(MuxServerConnection connection, Opening opening) {
        super(
                connection,
                opening.id(),
                !opening.end(),
                opening.head() == null || opening.tunnel() ? -1 : opening.head().contentLength(),
                opening.priority() == null ? Priority.UNSAID : opening.priority(),
                opening.method());
        server = connection;
        asksForTunnel = opening.tunnel();
        head = opening.head();
        StreamInput from = in();
        if (from != null && !asksForTunnel) {
            Settings options = connection.context().options();
            from.require(BodyRate.ofUploads(options, options.get(MuxOptions.STREAM_READ_TIMEOUT)));
        }
        expectsContinue = !opening.end()
                && head != null
                && "100-continue".equalsIgnoreCase(head.headers().get("expect"));
    }

    // ---- the request's body

    @Override
    public @Nullable Chunk read() throws IOException {
        return asksForTunnel ? Chunk.END : readRaw();
    }

    @Override
    public void awaitReadable(Runnable ready) {
        if (asksForTunnel) {
            ready.run();
        } else {
            awaitRaw(ready);
        }
    }

    @Override
    protected @Nullable Chunk readRaw() throws IOException {
        askForBody();
        return super.readRaw();
    }

    @Override
    protected void awaitRaw(Runnable ready) {
        askForBody();
        StreamInput from = in();
        if (from != null && from.isTooSlow()) {
            giveUp(from, RequestFault.BODY_BELOW_RATE);
        }
        super.awaitRaw(ready);
    }

    /** Fails the reader of the body; its exchange sends the response. */
    private void giveUp(StreamInput from, RequestFault why) {
        if (why == RequestFault.BODY_BELOW_RATE) {
            channel().limits().reached(Limit.UPLOAD_RATE);
        } else {
            why.countIn(channel().limits());
        }
        connection().context().note(why, channel().info().remote());
        from.fail(why.inBody());
    }

    /** Sends 100 (Continue) once, unless the body is arriving already (RFC 9110, 10.1.1). */
    private void askForBody() {
        if (expectsContinue) {
            expectsContinue = false;
            StreamInput from = in();
            if (from != null && !from.isReadable()) {
                connection().output().inform(this, Status.CONTINUE, new Headers());
            }
        }
    }

    // ---- the response

    @Override
    public void inform(int status, Headers headers, Completion completion) {
        if (status < 100 || status > 199 || status == Status.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException("the status is " + status + "; expected an interim one, not 101");
        }
        expectsContinue &= status != Status.CONTINUE;
        connection().output().inform(this, status, headers);
        completion.done(null);
    }

    @Override
    public void send(@Nullable ResponseHead head, Payload body, boolean last, Completion completion) {
        StreamInput from = in();
        if (head != null && from != null) {
            from.require(BodyRate.any()); // from here on it may be a dialogue, like those of gRPC
        }
        if (body instanceof Payload.Bytes bytes) {
            connection().output().send(this, head, head == null ? 0 : instead(head), bytes, last, completion);
        } else {
            new FilePieces(head, body, last, completion).start();
        }
    }

    /** The status of the response that is sent instead of this head; 0 if it may be sent. */
    private int instead(ResponseHead head) {
        int size = head.headers().characters();
        if (size > server.context().options().get(HttpOptions.MAX_RESPONSE_HEADER_SIZE)) {
            server.context().noteHeadTooLarge(size);
            return Status.INTERNAL_SERVER_ERROR; // clients and proxies reject large heads, for no obvious reason
        }
        return head.status() / 100 == 2 && isTunnelMissing() ? Status.NOT_IMPLEMENTED : 0;
    }

    @Override
    public boolean canPush() {
        return head != null && server.canPush(this);
    }

    @Override
    public boolean push(String method, String target, Headers headers) {
        return head != null && server.push(this, head, method, target, headers);
    }

    @Override
    public void tunnel(ResponseHead head, Duration idleTimeout, Consumer<HttpStream> opened) {
        if (!asksForTunnel) {
            throw new UnsupportedOperationException("the request did not ask for a tunnel (RFC 8441, 4)");
        }
        if (!out().isIdle()) {
            throw new IllegalStateException("the response has begun, and cannot be replaced by a tunnel");
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
        StreamTunnel made = new Tunnel(idleTimeout);
        synchronized (this) {
            tunnel = made;
        }
        send(accepted, Payload.NOTHING, false, failure -> {
            if (failure == null) {
                made.begin();
                opened.accept(made);
            }
        });
    }

    /** What it becomes when it has accepted a tunnel. */
    private final class Tunnel extends StreamTunnel {

        Tunnel(Duration idleTimeout) {
            super(MuxServerStream.this, idleTimeout);
        }

        @Override
        protected void sendRaw(Payload body, boolean last, Completion completion) {
            MuxServerStream.this.send(null, body, last, completion);
        }

        @Override
        public void end() {
            MuxServerStream.this.end();
        }

        @Override
        public void abort(@Nullable Throwable cause) {
            MuxServerStream.this.abort(cause);
        }

        @Override
        public void onClosed(Consumer<@Nullable Throwable> listener) {
            MuxServerStream.this.onClosed(listener);
        }
    }

    /** Whether a successful response would say that a tunnel is open (RFC 8441, 4), although none is. */
    private synchronized boolean isTunnelMissing() {
        return asksForTunnel && tunnel == null;
    }

    // ---- the end

    @Override
    public void end() {
        connection().streams().end(this);
    }

    @Override
    public void abort(@Nullable Throwable cause) {
        ResetReason reason = cause == null ? ResetReason.CANCEL : ResetReason.of(cause);
        reset(reason, cause == null ? new StreamResetException(reason, "the exchange was aborted") : cause);
    }

    @Override
    public void onClosed(Consumer<@Nullable Throwable> listener) {
        Throwable cause;
        synchronized (this) {
            cause = lostBy();
            if (cause == null) {
                closeListener = listener;
                return;
            }
        }
        listener.accept(cause);
    }

    @Override
    protected void failBody(Throwable why) {
        fail(new IOException("the stream ended within the request's body", why));
    }

    @Override
    boolean isHeldBack() {
        server.lock().assertHeld();
        return heldBack;
    }

    void holdBack(boolean held) {
        synchronized (server.lock()) {
            heldBack = held;
        }
    }

    @Override
    protected boolean isPeersRequest() {
        return !isPushed(); // resets of pushed streams cost no more than the request that caused the push
    }

    @Override
    protected void onLost(Throwable why) {
        Consumer<@Nullable Throwable> listener;
        synchronized (this) {
            listener = closeListener;
            closeListener = null;
        }
        if (listener != null) {
            listener.accept(why);
        }
    }

    @Override
    void detach() {
        synchronized (this) {
            closeListener = null;
        }
        super.detach();
    }

    @Override
    protected void drain() {
        StreamTunnel open;
        synchronized (this) {
            open = tunnel;
        }
        if (open != null) {
            open.drain();
        }
    }

    @Override
    protected boolean sweep(long now) {
        StreamInput from = in();
        if (from != null && from.isDiscarded()) {
            return sweepRest(from, now);
        }
        StreamTunnel made;
        synchronized (this) {
            made = tunnel;
        }
        if (made != null) {
            return made.sweep(now);
        }
        Duration limit = connection().context().options().get(MuxOptions.STREAM_READ_TIMEOUT);
        if (from == null || limit.isZero() || !from.isAwaited()) {
            return false;
        }
        RequestFault slow = from.overdue(now, limit);
        if (slow != null) {
            giveUp(from, slow);
        }
        return slow == null;
    }

    /** The rest of a discarded body has the timeout of one that is being read. */
    private boolean sweepRest(StreamInput from, long now) {
        Duration limit = connection().context().options().get(MuxOptions.STREAM_READ_TIMEOUT);
        if (!from.isDiscardedBefore(now - FrameClock.nanos(limit.isZero() ? REST : limit))) {
            return true;
        }
        connection().streams().endRest(this);
        return false;
    }

    /**
     * Sends a region of a file on a stream: reads it part by part, each after the previous one was sent. Frames need it in
     * memory, and a file must not be read under the connection's lock, nor by a thread that serves other connections. Used by
     * one thread at a time.
     */
    private final class FilePieces implements Completion {

        /** The size of a part. */
        private static final int PART = 32 * 1024;

        private final PayloadReader reader;
        private final boolean last;
        private final Completion completion;
        private @Nullable ResponseHead head;
        private ByteBuffer[] part = {};

        FilePieces(@Nullable ResponseHead head, Payload body, boolean last, Completion completion) {
            this.head = head;
            this.last = last;
            this.completion = completion;
            reader = PayloadReader.of(body, channel().buffers());
        }

        void start() {
            long length = reader.remaining();
            ResponseHead first = head;
            if (first != null && last && first.contentLength() < 0 && first.trailers() == null) {
                first.contentLength(length);
            }
            resume();
        }

        /** Reads the next part on a thread that may block on the disk. */
        private void resume() {
            StreamThreads threads = server.context().files();
            if (server.transport().channel().mayBlock() || threads.isCurrent()) {
                next();
            } else if (!threads.take(this::next)) {
                reader.release();
                completion.done(new IOException("no thread could be started to read the file"));
            }
        }

        private void next() {
            try {
                part = reader.remaining() == 0 ? part : reader.next(PART);
            } catch (Throwable unreadable) { // also if memory is short: the completion must be called
                reader.release();
                completion.done(unreadable);
                return;
            }
            ResponseHead first = head;
            head = null;
            Payload.Bytes bytes = new Payload.Bytes(part);
            boolean end = reader.remaining() == bytes.remaining();
            try {
                send(first, bytes, last && end, this);
            } catch (IllegalStateException outOfOrder) {
                reader.release();
                completion.done(outOfOrder);
            }
        }

        @Override
        public void done(@Nullable Throwable failure) {
            if (failure != null || reader.remaining() == 0) {
                reader.release();
                completion.done(failure);
            } else {
                resume();
            }
        }
    }
}
