package io.millrace.proxy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Outcome;
import io.millrace.exchange.Suspension;
import io.millrace.handler.BackendTrace;
import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.AtomicField;
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
 * One request through the proxy: asks one backend, and another where that is harmless, and passes on what comes. {@link RelayState}
 * says how far it is; the two bodies are the affair of {@link Upload} and {@link Download}.
 *
 * <p><b>Threads.</b> None of its own. The exchange is suspended all the time; what happens runs on the connections' threads, the
 * client's and the backend's, and whoever moves the state does what the move stands for.
 *
 * <p><b>Failures.</b> Whatever is thrown in a call that comes from a connection, an Error too, ends the exchange and gives up the
 * backend's stream ({@link RelayCalls}): nobody else would end an exchange that is suspended.
 */
final class Relay {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", RelayState.class);

    private final ProxyHandler proxy;
    private final HttpExchange exchange;
    private final RequestHead head;
    private final Upload upload;
    private final @Nullable WebSocketKey key;
    private final RelayCalls calls = new RelayCalls(this);
    private final BackendTrace trace = new BackendTrace();
    private final Attempts attempts;
    private volatile RelayState state = RelayState.CHOOSING;
    private volatile Asked asked = new Asked();
    private @Nullable Suspension suspension;
    private volatile @Nullable Backend backend;
    private volatile boolean kept;

    /** One request to a backend, and its stream as soon as that is known: by what starts it, or by its first call, whichever is first. */
    private static final class Asked {
        private volatile @Nullable ClientStream stream;
    }

    Relay(ProxyHandler proxy, HttpExchange exchange) {
        this.proxy = proxy;
        this.exchange = exchange;
        head = exchange.request();
        upload = new Upload(this, exchange);
        key = WebSocketKey.of(head);
        attempts = new Attempts(proxy, head, trace);
    }

    /** By the exchange's owner, as its last act. */
    void begin() {
        proxy.budget().begin();
        exchange.attributes().put(BackendTrace.KEY, trace);
        exchange.onEnd(this::ended);
        suspension = exchange.suspend(Duration.ZERO, expired -> {});
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

    // ---- a backend

    private void attempt(Attempts.Next next) {
        backend = next.backend();
        attempts.begin(next);
        if (state == RelayState.OVER) {
            attempts.release(); // the exchange ended meanwhile, and found nothing to release
        } else {
            acquire(next.backend());
        }
    }

    private void acquire(Backend from) {
        from.pool().acquire(calls);
        if (state == RelayState.OVER) {
            from.pool().cancel(calls); // the exchange ended before there was a place in the line to give up
        }
    }

    private Backend backend() {
        Backend current = backend;
        if (current == null) {
            throw new IllegalStateException("no backend was chosen");
        }
        return current;
    }

    /** What a connection for this client alone begins with. */
    ByteBuffer preface() {
        return RequestRewrite.preface(exchange.channel().info());
    }

    /** There is a connection. */
    void ask(ClientSession session) {
        Backend current = backend();
        if (move(Event.START) == null) {
            current.pool().release(session);
            return;
        }
        ClientRequest request;
        try {
            request = proxy.requests().rewrite(exchange, current, key == null ? null : key.value());
        } catch (IllegalArgumentException malformed) {
            current.pool().release(session);
            answer(Status.BAD_REQUEST);
            return;
        }
        kept = session.isKept();
        trace.connected();
        Asked mine = new Asked();
        asked = mine;
        ClientStream started = session.start(request, calls);
        if (started != null) {
            keep(mine, started); // it may have failed already, and another been asked
        } else {
            acquireAgain(current);
        }
    }

    /** A kept connection was closed in this very moment, and nothing was sent. */
    private void acquireAgain(Backend current) {
        if (move(Event.RETRY) != null) {
            acquire(current);
        }
    }

    /** If the client has gone meanwhile, nobody else gives it up. */
    private void keep(Asked mine, ClientStream started) {
        mine.stream = started;
        if (state == RelayState.OVER) {
            started.abort(null);
        }
    }

    /** The request's head was sent. */
    void sent(ClientStream started) {
        keep(asked, started);
        if (RequestRewrite.bodyLength(head) != 0) {
            upload.begin(started);
        }
    }

    /** There is no response. */
    void fail(ClientException failure) {
        Backend current = backend();
        Reason reason = failure.reason();
        if (reason == Reason.CLOSED && failure.processed() == Processed.NO) {
            acquireAgain(current);
            return;
        }
        upload.stopWaiting();
        boolean may = state != RelayState.OVER && attempts.mayRepeat(failure, upload.hasBegun());
        boolean harmless = may && kept && reason == Reason.CLOSED; // a kept connection met its end: everyday
        if (!harmless && reason != Reason.ABORTED && reason != Reason.INTERNAL) {
            current.failed(failure);
        }
        attempts.release();
        Attempts.Next next = may ? attempts.repeat(failure) : null;
        if (reason == Reason.INTERNAL) {
            crash(failure);
        } else if (next == null) {
            answer(ProxyHandler.status(failure));
        } else if (state == RelayState.CHOOSING || move(Event.RETRY) != null) {
            attempt(next);
        } else {
            attempts.giveUp(next);
        }
    }

    /** A response that the operator counts as a failure is dropped for that of another backend, if there is one. */
    private boolean isRepeated(ClientStream answered, int status) {
        Attempts.Next next = attempts.mayRepeat(status, upload.hasBegun()) ? attempts.repeatElsewhere() : null;
        if (next == null) {
            return false;
        }
        if (move(Event.RETRY) == null) {
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

    /** Instead of a backend. */
    private void answer(int status) {
        if (move(Event.END) != null) {
            proxy.answer(exchange, held(), status);
        }
    }

    private Suspension held() {
        Suspension mine = suspension;
        if (mine == null) {
            throw new IllegalStateException("the exchange was not suspended");
        }
        return mine;
    }

    // ---- its response

    /** An interim one. */
    void inform(int status, Headers fields) {
        if (status == Status.CONTINUE) {
            upload.proceed(); // reading the client's body sends it the same
        } else if (state == RelayState.ASKED) {
            Headers passed = new Headers();
            proxy.responses().fields(fields, backend(), passed);
            exchange.output().inform(status, passed);
        }
    }

    /** The final one begins. */
    void take(ClientStream answered, ResponseHead response) {
        keep(asked, answered);
        trace.answered();
        upload.stopWaiting();
        Backend current = backend();
        boolean failed = proxy.retries().isFailure(response.status());
        if (failed) {
            current.failed(response.status());
            if (isRepeated(answered, response.status())) {
                return;
            }
        } else {
            current.succeeded();
        }
        boolean switched = response.status() == Status.SWITCHING_PROTOCOLS;
        if (switched && key != null && !key.isAnsweredBy(response)) {
            answered.abort(null);
            answer(ProxyHandler.BAD_GATEWAY);
        } else if (move(switched ? Event.SWITCH : Event.HEAD) == null) {
            answered.abort(null);
        } else if (switched) {
            Headers fields = new Headers();
            proxy.responses().fields(response.headers(), current, fields);
            held().resume(new Tunnel(
                            answered, proxy.tunnelTimeout(), exchange.channel().timers())
                    .opening(fields));
        } else {
            new Download(this, exchange, answered, () -> proxy.responses().rewrite(response, current, exchange))
                    .begin();
        }
    }

    // ---- the end

    /** The response was passed on whole. On whatever thread has written its last piece. */
    void answered() {
        trace.ended();
        if (move(Event.END) != null) {
            held().completeHere();
        }
    }

    /**
     * The response broke off: the client's does too, and never looks whole. If none of it was sent yet, the client gets 502.
     *
     * @param committed was anything of it sent, or is being sent?
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
                    cause instanceof ClientException failure ? ProxyHandler.status(failure) : ProxyHandler.BAD_GATEWAY);
        }
    }

    /** The client takes no more: it is gone, or too slow. */
    void unwritable(Throwable cause) {
        if (move(Event.END) != null) {
            exchange.abort(cause);
        }
    }

    /** The client's body could not be read: its fault, or it is gone. */
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

    /** Something failed here, for lack of memory for example: 500, or an end in the middle; and the backend's stream is given up. */
    void crash(Throwable thrown) {
        RelayState from = move(Event.END);
        ClientStream mine = asked.stream;
        try {
            if (from == RelayState.ANSWERING || from == RelayState.TUNNELLING) {
                exchange.abort(thrown);
                ProxyLog.LOG.relayFailed(String.valueOf(backend), thrown);
            } else if (from != null) {
                held().fail(thrown);
            }
        } finally {
            if (mine != null) {
                mine.abort(thrown);
            }
        }
    }

    /** The exchange is over, for whatever reason. */
    private void ended(Outcome outcome) {
        RelayState last = state;
        move(Event.END);
        proxy.budget().end();
        upload.stopWaiting();
        attempts.release();
        Backend current = backend;
        if (current != null && last == RelayState.CHOOSING) {
            current.pool().cancel(calls);
        }
        ClientStream mine = asked.stream;
        if (mine != null && (last != RelayState.TUNNELLING || outcome.failure() != null)) {
            mine.abort(null);
        }
    }

    /** Returns the state before; null if the event was refused. */
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
