package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.exchange.ExchangeChannel;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Outcome;
import io.millrace.exchange.RequestId;
import io.millrace.exchange.Suspension;
import io.millrace.handler.BackendTrace;
import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.AtomicField;
import io.millrace.io.ConnectionInfo;
import io.millrace.log.CoreLog;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import io.millrace.proxy.RelayState.Event;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request through the proxy: sends it to a backend, retries on another one where that is safe, and forwards the response.
 * {@link RelayState} has its states; {@link Upload} and {@link Download} copy the bodies.
 *
 * <p><b>Threads.</b> The exchange stays suspended; events run on the threads of the client's and the backend's connection, and the
 * thread whose transition succeeds performs its action.
 *
 * <p><b>Failures.</b> An exception or Error thrown in a call from a connection ends the exchange and aborts the backend's stream ({@link
 * RelayCalls}, {@link BackendRequest}): otherwise the exchange would stay suspended forever.
 */
final class ProxiedRequest {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", RelayState.class);

    private final Forwarding proxy;
    private final HttpExchange exchange;
    private final @Nullable RequestId requestId;
    private final RequestHead head;
    private final Upload upload;
    private final @Nullable WebSocketKey key;
    private final RelayCalls calls = new RelayCalls(this);
    private final BackendTrace trace = new BackendTrace();
    private final Attempts attempts;
    private volatile RelayState state = RelayState.CHOOSING;
    private volatile @Nullable BackendRequest backendRequest;
    private @Nullable Suspension suspension;
    private volatile @Nullable Backend backend;
    private volatile boolean reused;

    /**
     * No backend's protocol has upgrades, or the backend has none for this path, so the request is sent without (RFC 9110, 7.8: a server may
     * ignore Upgrade).
     */
    private volatile boolean withoutUpgrade;

    ProxiedRequest(Forwarding proxy, HttpExchange exchange) {
        this.proxy = proxy;
        this.exchange = exchange;
        head = exchange.request();
        upload = new Upload(this, exchange, proxy.keptBodies());
        key = WebSocketKey.of(head);
        attempts = new Attempts(proxy, head, trace);
        requestId = RequestId.of(exchange);
    }

    /** Null unless requests have ids. */
    @Nullable
    RequestId requestId() {
        return requestId;
    }

    /** Called by the exchange's owner, as its last call. */
    void begin() {
        proxy.budget().begin();
        exchange.attributes().put(BackendTrace.KEY, trace);
        exchange.onEnd(this::ended);
        suspension = exchange.suspend(Duration.ZERO, expired -> {});
        if (RequestRewrite.bodyLength(head) == 0 || isContinueExpected()) {
            beginAttempts();
        } else {
            upload.collect(this::beginAttempts);
        }
    }

    private void beginAttempts() {
        try {
            Attempts.Next first = attempts.first();
            if (first == null) {
                answer(Status.SERVICE_UNAVAILABLE);
            } else {
                attempt(first);
            }
        } catch (Throwable thrown) {
            crash(thrown);
        }
    }

    /** Whether the client waits for 100, which reading its body would send. That is the backend's decision. */
    private boolean isContinueExpected() {
        return head.headers().contains("Expect");
    }

    // ---- a backend

    private void attempt(Attempts.Next next) {
        backend = next.backend();
        attempts.begin(next);
        if (state == RelayState.OVER) {
            attempts.release(); // the exchange ended meanwhile, when there was nothing to release
        } else {
            acquire(next.backend());
        }
    }

    private void acquire(Backend from) {
        from.pool().acquire(calls);
        if (state == RelayState.OVER) {
            from.pool().cancel(calls); // the exchange ended meanwhile, when nothing was queued in the pool
        }
    }

    private Backend backend() {
        Backend current = backend;
        if (current == null) {
            throw new IllegalStateException("no backend was chosen");
        }
        return current;
    }

    ConnectionInfo client() {
        return exchange.channel().info();
    }

    /** Those of a request's trailer fields that are sent to a backend. */
    Headers passed(Headers trailers) {
        return proxy.requests().trailers(trailers, head, exchange);
    }

    /** The PROXY protocol header of a connection that is used for this client only. */
    ByteBuffer preface() {
        return RequestRewrite.preface(client());
    }

    /** Sends the request on a connection of the pool. */
    void send(ClientSession session) {
        Backend current = backend();
        if (move(Event.START) == null) {
            current.pool().release(session, client());
            return;
        }
        ClientRequest request;
        try {
            request = proxy.requests().rewrite(exchange, current, key == null ? null : key.value(), !withoutUpgrade);
        } catch (IllegalArgumentException malformed) {
            current.pool().release(session, client());
            answer(Status.BAD_REQUEST);
            return;
        }
        reused = session.isKept();
        trace.connected();
        BackendRequest sending = new BackendRequest(this, bodyStart());
        backendRequest = sending;
        ClientStream started = session.start(request, sending);
        if (started != null) {
            attach(sending, started); // not to backendRequest, which a retry may have replaced already
        } else {
            acquireAgain(current);
        }
    }

    private BodyStart bodyStart() {
        ExchangeChannel channel = exchange.channel();
        Upload.Attempt attempt = upload.attempt();
        return new BodyStart(
                isContinueExpected(), channel.timers(), channel.workers(), to -> upload.start(attempt, to));
    }

    /** A reused connection was closed before anything was sent: acquires another one. */
    private void acquireAgain(Backend current) {
        if (move(Event.RETRY) != null) {
            acquire(current);
        }
    }

    /** Aborts the stream if the exchange has ended meanwhile, when the stream was unknown. */
    private void attach(BackendRequest sending, ClientStream started) {
        sending.stream(started);
        if (state == RelayState.OVER) {
            started.abort(null);
        }
    }

    /** The request's head was sent. */
    void sent(BackendRequest sending, ClientStream started) {
        attach(sending, started);
        if (RequestRewrite.bodyLength(head) != 0) {
            sending.body().headSent(started);
        }
    }

    /**
     * The request failed without a response.
     *
     * @param bodyUnread whether none of the body was read for it, and never will be
     */
    void fail(ClientException failure, boolean bodyUnread) {
        Backend current = backend();
        Reason reason = failure.reason();
        if (reason == Reason.CLOSED && failure.processed() == Processed.NO) {
            acquireAgain(current);
            return;
        }
        boolean bodyGone = !upload.takeBack() && !bodyUnread;
        boolean may = state != RelayState.OVER && attempts.mayRetry(failure, bodyGone);
        boolean harmless = may && reused && reason == Reason.CLOSED; // the close of an idle connection
        if (!harmless && reason != Reason.ABORTED && reason != Reason.INTERNAL) {
            current.failed(failure);
        }
        attempts.release();
        Attempts.Next next = may ? attempts.retry(failure) : null;
        if (may && next == null && reason == Reason.UNSUPPORTED && mayIgnoreUpgrade()) {
            withoutUpgrade = true;
            next = attempts.anew();
        }
        if (reason == Reason.INTERNAL) {
            crash(failure);
        } else if (next == null) {
            answer(Forwarding.status(failure));
        } else if (state == RelayState.CHOOSING || move(Event.RETRY) != null) {
            attempt(next);
        } else {
            attempts.giveUp(next);
        }
    }

    /** Not for an extended CONNECT (RFC 8441), whose client asks for nothing but a tunnel. */
    private boolean mayIgnoreUpgrade() {
        return !withoutUpgrade && key == null && RequestRewrite.isUpgrade(head);
    }

    /**
     * A backend that has refused an extended CONNECT as such has not run anything. The client's handshake in HTTP/1.1 is an ordinary request,
     * too, which gets what it gets from backends of other protocols.
     */
    private boolean isSentAsPlain(ClientStream answered, int status) {
        boolean refused = status == Status.NOT_IMPLEMENTED || status == Status.METHOD_NOT_ALLOWED;
        if (!refused || !answered.isForTunnel() || !mayIgnoreUpgrade() || move(Event.RETRY) == null) {
            return false;
        }
        withoutUpgrade = true;
        attempts.release();
        try {
            Download.drop(answered);
        } finally {
            attempt(new Attempts.Next(backend(), false));
        }
        return true;
    }

    /** Drops a response that is configured to count as a failure, and sends the request to another backend, if there is one. */
    private boolean isRetried(BackendRequest sending, ClientStream answered, int status) {
        boolean bodyBegun = sending.body().isStarted() && !upload.isRepeatable();
        Attempts.Next next = attempts.mayRetry(status, bodyBegun) ? attempts.retryElsewhere() : null;
        if (next == null) {
            return false;
        }
        if (!sending.body().cancel() && !upload.takeBack() || move(Event.RETRY) == null) {
            attempts.giveUp(next);
            return false;
        }
        attempts.release();
        try {
            Download.drop(answered);
        } finally {
            attempt(next);
        }
        return true;
    }

    /** Responds with an error. */
    private void answer(int status) {
        if (move(Event.END) != null) {
            proxy.answer(exchange, held(), status);
        }
    }

    private Suspension held() {
        Suspension held = suspension;
        if (held == null) {
            throw new IllegalStateException("the exchange was not suspended");
        }
        return held;
    }

    // ---- the backend's response

    /** An interim response was received. */
    void inform(BackendRequest sending, int status, Headers fields) {
        if (status == Status.CONTINUE) {
            sending.body().proceed(); // reading the client's body sends 100 to the client
        } else if (state == RelayState.REQUESTED) {
            Headers passed = new Headers();
            proxy.responses().fields(fields, backend(), passed);
            exchange.output().inform(status, passed);
        }
    }

    /** The head of the final response was received. */
    void take(BackendRequest sending, ClientStream answered, ResponseHead response) {
        attach(sending, answered);
        trace.answered();
        sending.body().answered();
        Backend current = backend();
        if (isSentAsPlain(answered, response.status())) {
            return;
        }
        boolean failed = proxy.retries().isFailure(response.status());
        if (failed) {
            current.failed(response.status());
            if (isRetried(sending, answered, response.status())) {
                return;
            }
        } else {
            current.succeeded();
        }
        upload.answered();
        boolean switched = response.status() == Status.SWITCHING_PROTOCOLS;
        if (switched && key != null && !key.isAnsweredBy(response)) {
            answered.abort(null);
            answer(Forwarding.BAD_GATEWAY);
        } else if (!switched && key != null && response.status() / 100 == 2) {
            answered.abort(null); // the client would take 2xx for an open tunnel (RFC 8441, 5; RFC 9110, 9.3.6)
            answer(Status.NOT_IMPLEMENTED);
        } else if (move(switched ? Event.SWITCH : Event.HEAD) == null) {
            answered.abort(null);
        } else if (switched) {
            Headers fields = new Headers();
            proxy.responses().fields(response.headers(), current, fields);
            held().resume(new Tunnel(
                            answered, proxy.tunnelTimeout(), exchange.channel().timers())
                    .opening(fields));
        } else {
            new Download(
                            this,
                            exchange,
                            answered,
                            () -> proxy.responses().rewrite(response, current, exchange),
                            proxy.responseBuffer())
                    .begin();
        }
    }

    // ---- the end

    /** The response was read completely: the backend has done its work, whenever the client receives it. */
    void read() {
        attempts.release();
    }

    /** The response was forwarded completely. Called on the thread that completed the last write. */
    void answered() {
        trace.ended();
        if (move(Event.END) != null) {
            held().completeHere();
        }
    }

    /**
     * The response is incomplete: the client's response is aborted, so that it never appears complete. If none of it was sent, the
     * client gets 502.
     *
     * @param committed whether its head was written, or is being written
     */
    void broken(Throwable cause, boolean committed) {
        if (!(cause instanceof IOException) && exchange.output().isCommitted()) {
            crash(cause);
            return;
        }
        Backend current = backend;
        if (move(Event.END) == null) {
            return;
        }
        if (!(cause instanceof IOException)) {
            held().fail(cause);
            return;
        }
        if (current != null && cause instanceof ClientException failure) {
            current.failed(failure);
        }
        if (committed) {
            exchange.abort(new StreamResetException(ResetReason.INTERNAL, "the backend's response is incomplete"));
        } else {
            proxy.answer(
                    exchange,
                    held(),
                    cause instanceof ClientException failure ? Forwarding.status(failure) : Forwarding.BAD_GATEWAY);
        }
    }

    /** Writing to the client failed: it disconnected, or is too slow. */
    void unwritable(Throwable cause) {
        if (move(Event.END) != null) {
            exchange.abort(cause);
        }
    }

    /** Reading the client's body failed: it is malformed, or the client disconnected. */
    void unreadable(Throwable cause) {
        if (!(cause instanceof IOException)) {
            crash(cause);
            return;
        }
        RelayState from = move(Event.END);
        if (from == RelayState.ANSWERING) {
            exchange.abort(cause);
        } else if (from != null) {
            held().fail(cause);
        }
    }

    /** An internal failure, such as lack of memory: responds with 500, or aborts the response; aborts the backend's stream. */
    void crash(Throwable thrown) {
        RelayState from = move(Event.END);
        BackendRequest last = backendRequest;
        ClientStream open = last == null ? null : last.stream();
        try {
            if (from == RelayState.ANSWERING || from == RelayState.TUNNELLING) {
                exchange.abort(thrown);
                CoreLog.PROXY.relayFailed(String.valueOf(backend), thrown);
            } else if (from != null) {
                held().fail(thrown);
            }
        } finally {
            if (open != null) {
                open.abort(thrown);
            }
        }
    }

    /** The exchange has ended. */
    private void ended(Outcome outcome) {
        RelayState last = state;
        move(Event.END);
        proxy.budget().end();
        attempts.release();
        upload.forget();
        Backend current = backend;
        if (current != null && last == RelayState.CHOOSING) {
            current.pool().cancel(calls);
        }
        BackendRequest sent = backendRequest;
        if (sent == null) {
            return;
        }
        sent.body().cancel();
        ClientStream open = sent.stream();
        if (open != null && (last != RelayState.TUNNELLING || outcome.failure() != null)) {
            open.abort(null);
        }
    }

    /** Returns the previous state; null if the event was rejected. */
    private @Nullable RelayState move(Event event) {
        while (true) {
            RelayState from = state;
            RelayState to = RelayState.next(from, event);
            if (to == null || STATE.compareAndSet(this, from, to)) {
                return to == null ? null : from;
            }
        }
    }
}
