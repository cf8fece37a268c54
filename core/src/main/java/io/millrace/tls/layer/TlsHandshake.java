package io.millrace.tls.layer;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.jfr.Recorder;
import io.millrace.log.CoreLog;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.layer.HandshakeState.Event;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of one connection. On the server side the ClientHello selects the engine; then messages are exchanged between
 * the peer and that engine. {@link HandshakeState} shows which thread owns it.
 */
final class TlsHandshake implements ConnectionHandler {

    /** The maximum input of a handshake. One with a long chain of client certificates takes a quarter of it. */
    private static final int MAX_BYTES = 128 * 1024;

    /** A step of the handshake: true if this thread continues, false if the handshake waits, has ended, or was handed over. */
    private interface Step {
        boolean take() throws IOException;
    }

    private final TlsLayer layer;
    private final Connection below;
    private final Consumer<Connection> onReady;
    private final Consumer<Throwable> onFailed;
    private final CipherInput input;
    private final AtomicReference<HandshakeState> state = new AtomicReference<>(HandshakeState.RUNNING);
    private volatile boolean draining;
    private Timers.@Nullable Timer timer;

    // confined to the thread that runs the handshake

    private @Nullable HelloReader hello = new HelloReader();
    private @Nullable Negotiation negotiation;
    private int received;

    private Recorder.@Nullable Span recorded;

    private boolean timeoutShortened;

    /** Whether this thread counts towards the limit of {@link HandshakeTasks}. */
    private boolean isCounted;

    TlsHandshake(TlsLayer layer, Connection below, Consumer<Connection> onReady, Consumer<Throwable> onFailed) {
        this.layer = layer;
        this.below = below;
        this.onReady = onReady;
        this.onFailed = onFailed;
        input = new CipherInput(layer.records());
    }

    /** @param client an engine in client mode; null for a server, whose engine depends on the ClientHello */
    void begin(@Nullable TlsEngine client) {
        recorded = Recorder.handshake();
        if (client != null) {
            negotiateWith(client, null);
        }
        below.install(this);
        run(this::startTimer); // an exception closes the connection and releases the engine
    }

    private boolean startTimer() {
        if (!layer.handshakeTimeout().isZero()) {
            timer = layer.timers().schedule(this::timeout, layer.handshakeTimeout());
        }
        return true;
    }

    @Override
    public void onReadable() {
        if (fire(Event.READABLE) == HandshakeState.WAITING) {
            isCounted = false;
            run();
        }
    }

    @Override
    public void onIdle() {
        below.awaitReadable(); // the handshake has a timeout of its own
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        if (close(cause) == HandshakeState.WAITING) {
            release();
        }
    }

    @Override
    public void drain() {
        draining = true;
    }

    private void timeout() {
        below.close(new SocketTimeoutException("the TLS handshake took longer than "
                + TimeUnit.MILLISECONDS.convert(draining ? DRAIN_LIMIT : layer.handshakeTimeout()) + " ms"));
    }

    private void run() {
        run(() -> true);
    }

    private void run(Step first) {
        try {
            boolean more = first.take();
            while (more) {
                Negotiation current = negotiation;
                more = current == null ? readHello() : negotiate(current);
            }
        } catch (SSLException broken) {
            refuse(broken);
        } catch (IOException | RejectedExecutionException broken) {
            abort(broken);
        } catch (Throwable thrown) {
            abort(thrown);
            CoreLog.TLS.tlsFailed(thrown);
        }
    }

    private boolean readHello() throws IOException {
        HelloReader current = hello;
        if (current == null) {
            throw new IllegalStateException("the ClientHello was already read");
        }
        return switch (current.scan(input)) {
            case MORE -> read();
            case HELLO -> choose(current.hello());
            case PLAIN_HTTP -> refuse(HandshakeRefusal.PLAIN_HTTP);
            case NOT_TLS -> refuse(HandshakeRefusal.NOT_TLS);
            case MALFORMED -> refuse(HandshakeRefusal.MALFORMED);
            case TOO_LARGE -> refuse(HandshakeRefusal.TOO_LARGE);
        };
    }

    private boolean choose(ClientHello read) throws IOException {
        String name = read.serverName();
        TlsEngine engine = layer.engines().create(name, below.channel().info().remote());
        if (engine == null) {
            return refuse(HandshakeRefusal.UNKNOWN_HOST);
        }
        negotiateWith(engine, name);
        return true;
    }

    private void negotiateWith(TlsEngine engine, @Nullable String name) {
        hello = null;
        negotiation = new Negotiation(new TlsConnection(below, engine, name, input, layer.records()), input);
    }

    private boolean negotiate(Negotiation current) throws IOException {
        return switch (current.step()) {
            case STEP -> true;
            case INPUT -> read();
            case PEER -> await();
            case COMPUTATION -> handOver();
            case NOTHING -> ready(current.connection());
        };
    }

    private boolean read() throws IOException {
        Chunk chunk = below.read();
        return chunk == null ? await() : take(chunk);
    }

    /**
     * Reads before a long computation, to detect a disconnect: thousands of clients may connect at once, and disconnect before it
     * is their turn. Costs little unless the client has sent something or disconnected.
     */
    private boolean readAhead() throws IOException {
        Chunk chunk = below.read();
        return chunk == null || take(chunk);
    }

    private boolean take(Chunk chunk) throws IOException {
        if (chunk.isEnd()) {
            throw new EOFException("the peer closed the connection");
        }
        received += chunk.bytes().remaining();
        if (received > MAX_BYTES) {
            chunk.release();
            throw new SSLException("the peer sent more than " + MAX_BYTES + " bytes during the TLS handshake");
        }
        input.add(chunk, below.channel().buffers());
        return true;
    }

    private boolean await() {
        if (draining && received == 0) {
            abort(null);
            return false;
        }
        if (draining) {
            shortenTimeout();
        }
        if (fire(Event.NOTHING) == HandshakeState.CLOSED) {
            release();
        } else {
            below.awaitReadable();
        }
        return false;
    }

    /** Replaces the timeout by that of draining, once; the time elapsed does not count. */
    private void shortenTimeout() {
        if (!timeoutShortened) {
            timeoutShortened = true;
            cancelTimer();
            timer = layer.timers().schedule(this::timeout, DRAIN_LIMIT);
        }
    }

    /**
     * Hands the handshake over to a worker for a computation, in turn with others. Also if the current thread may block: clients
     * that connect at the same time and have completed their handshakes must not wait for the computations of others.
     */
    private boolean handOver() {
        if (fire(Event.TASK) == HandshakeState.CLOSED) {
            release();
            return false;
        }
        try {
            layer.tasks().execute(this::resume);
        } catch (RejectedExecutionException busy) {
            fire(Event.RESUME);
            throw busy;
        }
        return false;
    }

    private void resume() {
        if (fire(Event.RESUME) == HandshakeState.CLOSED) {
            release();
        } else {
            isCounted = true;
            run(this::readAhead);
        }
    }

    private void record(String protocol, String result) {
        Recorder.Span span = recorded;
        if (span != null) {
            recorded = null;
            span.end(String.valueOf(below.channel().info().remote()), protocol, result);
        }
    }

    private boolean ready(TlsConnection connection) {
        if (fire(Event.DONE) == HandshakeState.CLOSED) {
            release();
            return false;
        }
        cancelTimer();
        layer.countDone(connection.engine().isResumed());
        if (recorded != null) {
            record(
                    connection.engine().session().getProtocol(),
                    connection.engine().isResumed() ? "resumed" : "full");
        }
        below.install(connection.relay());
        if (draining) {
            connection.relay().drain();
        }
        if (isCounted) {
            notifyOnWorker(connection);
        } else {
            notifyReady(connection);
        }
        return false;
    }

    /** Hands the connection to a worker: its first request may have arrived already, and take long. */
    private void notifyOnWorker(TlsConnection connection) {
        try {
            layer.workers().execute(() -> notifyReady(connection));
        } catch (RejectedExecutionException busy) {
            connection.close(busy);
            notifyFailed(busy);
        }
    }

    private void notifyReady(TlsConnection connection) {
        try {
            onReady.accept(connection);
        } catch (Throwable thrown) {
            connection.failed(thrown);
        }
    }

    /** Rejects a connection without an engine: not TLS, an invalid ClientHello, or an unknown host. */
    private boolean refuse(HandshakeRefusal why) {
        if (refused(new SSLException(why.found()), why.found())) {
            LingeringClose shutdown = new LingeringClose(below, null);
            shutdown.install();
            below.write(Payload.of(why.answer()), failure -> below.finish(shutdown::sent));
        }
        return false;
    }

    /** Sends the engine's alert; without an engine, closes the connection. */
    private void refuse(SSLException why) {
        Negotiation current = negotiation;
        if (current == null) {
            abort(why);
        } else if (refused(why, HandshakeFailure.of(why))) {
            LingeringClose shutdown =
                    new LingeringClose(below, current.connection().engine());
            shutdown.install();
            current.connection().finish(shutdown::sent);
        }
    }

    private boolean refused(SSLException why, String reason) {
        HandshakeState before = fire(Event.REFUSE);
        input.release();
        if (before == HandshakeState.CLOSED) {
            releaseEngine();
            return false;
        }
        cancelTimer();
        failed(why, reason);
        return true;
    }

    private void abort(@Nullable Throwable why) {
        close(why);
        below.close(why);
        release();
    }

    /** Returns the previous state. */
    private HandshakeState close(@Nullable Throwable cause) {
        HandshakeState before = fire(Event.CLOSE);
        if (before != HandshakeState.DONE && before != HandshakeState.REFUSED && before != HandshakeState.CLOSED) {
            cancelTimer();
            failed(
                    cause == null ? new EOFException("the connection was closed during the handshake") : cause,
                    HandshakeFailure.of(cause));
        }
        return before;
    }

    private void failed(Throwable why, String reason) {
        layer.countFailed();
        record("", reason);
        notifyFailed(why);
        if (CoreLog.TLS.isDebugEnabled()) {
            CoreLog.TLS.debugf(
                    "TLS handshake with %s failed: %s", below.channel().info().remote(), reason);
        }
    }

    private void notifyFailed(Throwable why) {
        try {
            onFailed.accept(why);
        } catch (Throwable thrown) {
            CoreLog.TLS.tlsFailed(thrown);
        }
    }

    private void release() {
        input.release();
        releaseEngine();
    }

    private void releaseEngine() {
        Negotiation current = negotiation;
        if (current != null) {
            current.connection().engine().release();
        }
    }

    private void cancelTimer() {
        Timers.Timer current = timer;
        if (current != null) {
            current.cancel();
        }
    }

    /** Returns the previous state. */
    private HandshakeState fire(Event event) {
        return state.getAndUpdate(from -> HandshakeState.next(from, event));
    }

    /** Describes the failure of a handshake in one printable line. */
    private static final class HandshakeFailure {

        private static final int MOST = 200;

        private HandshakeFailure() {}

        static String of(@Nullable Throwable cause) {
            if (cause == null) {
                return "the connection was closed";
            }
            String message = cause.getMessage();
            return message == null || message.isBlank() ? cause.getClass().getSimpleName() : escape(message);
        }

        /** The JDK's messages may contain input of the peer. */
        private static String escape(String message) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < message.length() && line.length() < MOST; i++) {
                char c = message.charAt(i);
                line.append(c >= ' ' && c < 0x7f ? c : '?');
            }
            return line.toString();
        }
    }

    /** The reasons for rejecting a connection without an engine, and the alert to send. */
    private enum HandshakeRefusal {
        /** A request with http instead of https. */
        PLAIN_HTTP("a plain HTTP request: this port speaks TLS", plainAnswer()),
        NOT_TLS("not TLS", alert(70)), // protocol_version
        MALFORMED("a malformed ClientHello", alert(50)), // decode_error
        TOO_LARGE("a ClientHello of more than " + HelloReader.MOST + " bytes", alert(50)),
        UNKNOWN_HOST("a host name that is not served here, or none (strictSni)", alert(112)); // unrecognized_name

        private final String found;
        private final String answer;

        HandshakeRefusal(String found, String answer) {
            this.found = found;
            this.answer = answer;
        }

        /** For the log. */
        String found() {
            return found;
        }

        /** The bytes to send. */
        ByteBuffer answer() {
            return ByteBuffer.wrap(answer.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** A fatal alert in a record of its own (RFC 8446, 6). */
        private static String alert(int description) {
            return "\u0015\3\3\0\2\2" + (char) description;
        }

        private static String plainAnswer() {
            String body = "This port speaks TLS: use https:// instead of http://\n";
            String head = "HTTP/1.1 400 \r\nContent-Type: text/plain;charset=US-ASCII\r\nContent-Length: "
                    + body.length() + "\r\nConnection: close\r\n\r\n";
            return head + body;
        }
    }
}
