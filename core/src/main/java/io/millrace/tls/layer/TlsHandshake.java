package io.millrace.tls.layer;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.layer.HandshakeState.Event;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection from its first byte to the end of its handshake: a server finds out by the ClientHello which engine to use; then
 * it carries messages between the peer and that engine. See {@link HandshakeState} for who does that.
 */
final class TlsHandshake implements ConnectionHandler {

    /** A handshake with a long chain of client certificates takes a quarter of it. */
    private static final int MOST_BYTES = 128 * 1024;

    /** A step of the handshake: true if another follows, false if another thread continues. */
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

    private boolean hurried;

    /** This thread counts as one of the few that compute for handshakes. */
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
        if (client != null) {
            negotiateBy(client);
        }
        below.install(this);
        run(this::startTimer); // whatever is thrown in there closes the connection, and releases the engine with it
    }

    private boolean startTimer() {
        if (!layer.handshakeTimeout().isZero()) {
            timer = layer.timers().schedule(this::timeout, layer.handshakeTimeout());
        }
        return true;
    }

    // ---- what the connection below tells, in any state

    @Override
    public void onReadable() {
        if (fire(Event.READABLE) == HandshakeState.WAITING) {
            isCounted = false;
            run();
        }
    }

    @Override
    public void onIdle() {
        below.awaitReadable(); // our own time counts
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

    // ---- state RUNNING, one thread

    private void run() {
        run(() -> true);
    }

    private void run(Step first) {
        try {
            boolean more = first.take();
            while (more) {
                Negotiation mine = negotiation;
                more = mine == null ? readHello() : negotiate(mine);
            }
        } catch (SSLException broken) {
            refuse(broken);
        } catch (IOException | RejectedExecutionException broken) {
            giveUp(broken);
        } catch (Throwable thrown) {
            giveUp(thrown);
            TlsLog.LOG.handlerFailed(thrown);
        }
    }

    private boolean readHello() throws IOException {
        HelloReader mine = hello;
        if (mine == null) {
            throw new IllegalStateException("the ClientHello was read before");
        }
        return switch (mine.look(input)) {
            case MORE -> read();
            case HELLO -> choose(mine.hello());
            case PLAIN_HTTP -> refuse(HandshakeRefusal.PLAIN_HTTP);
            case NOT_TLS -> refuse(HandshakeRefusal.NOT_TLS);
            case MALFORMED -> refuse(HandshakeRefusal.MALFORMED);
            case TOO_LARGE -> refuse(HandshakeRefusal.TOO_LARGE);
        };
    }

    private boolean choose(ClientHello read) throws IOException {
        TlsEngine engine =
                layer.engines().create(read.serverName(), below.channel().info().remote());
        if (engine == null) {
            return refuse(HandshakeRefusal.UNKNOWN_HOST);
        }
        negotiateBy(engine);
        return true;
    }

    private void negotiateBy(TlsEngine engine) {
        hello = null;
        negotiation = new Negotiation(new TlsConnection(below, engine, input, layer.records()), input);
    }

    private boolean negotiate(Negotiation mine) throws IOException {
        return switch (mine.step()) {
            case STEP -> true;
            case INPUT -> read();
            case PEER -> await();
            case COMPUTATION -> handOver();
            case NOTHING -> ready(mine.connection());
        };
    }

    private boolean read() throws IOException {
        Chunk chunk = below.read();
        return chunk == null ? await() : take(chunk);
    }

    /**
     * Before a long computation: thousands of clients may connect at once and be gone when it is their turn, which a read
     * tells, at no cost but for those who sent something or left.
     */
    private boolean look() throws IOException {
        Chunk chunk = below.read();
        return chunk == null || take(chunk);
    }

    private boolean take(Chunk chunk) throws IOException {
        if (chunk.isEnd()) {
            throw new EOFException("the peer closed the connection");
        }
        received += chunk.bytes().remaining();
        if (received > MOST_BYTES) {
            chunk.release();
            throw new SSLException("the peer sent more than " + MOST_BYTES + " bytes during the TLS handshake");
        }
        input.add(chunk, below.channel().buffers());
        return true;
    }

    private boolean await() {
        if (draining && received == 0) {
            giveUp(null);
            return false;
        }
        if (draining) {
            hurry();
        }
        if (fire(Event.NOTHING) == HandshakeState.CLOSED) {
            release();
        } else {
            below.awaitReadable();
        }
        return false;
    }

    /** Once: what it has had already counts no more. */
    private void hurry() {
        if (!hurried) {
            hurried = true;
            cancelTimer();
            timer = layer.timers().schedule(this::timeout, DRAIN_LIMIT);
        }
    }

    /**
     * To a thread that may take its time, when it is this handshake's turn, and that goes on with it from there. Also where
     * this thread might take it: of a thousand clients that connect together those that are done should not wait for the
     * others' computations.
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
            run(this::look);
        }
    }

    private boolean ready(TlsConnection mine) {
        if (fire(Event.DONE) == HandshakeState.CLOSED) {
            release();
            return false;
        }
        cancelTimer();
        layer.countDone();
        below.install(mine.relay());
        if (draining) {
            mine.relay().drain();
        }
        if (isCounted) {
            handUp(mine);
        } else {
            tell(mine);
        }
        return false;
    }

    /** To another thread: the first request may be here already, and serving it may take its time. */
    private void handUp(TlsConnection mine) {
        try {
            layer.workers().execute(() -> tell(mine));
        } catch (RejectedExecutionException busy) {
            mine.close(busy);
            tellFailed(busy);
        }
    }

    private void tell(TlsConnection mine) {
        try {
            onReady.accept(mine);
        } catch (Throwable thrown) {
            mine.failed(thrown);
        }
    }

    // ---- the end of one that fails

    /** Something else than a handshake that we could go on with. */
    private boolean refuse(HandshakeRefusal why) {
        if (refused(new SSLException(why.found()), why.found())) {
            LingeringClose shutdown = new LingeringClose(below, null);
            shutdown.install();
            below.write(Payload.of(why.answer()), failure -> below.finish(shutdown::sent));
        }
        return false;
    }

    /** The engine has an alert ready that says why; without an engine there is nothing to say. */
    private void refuse(SSLException why) {
        Negotiation mine = negotiation;
        if (mine == null) {
            giveUp(why);
        } else if (refused(why, HandshakeFailure.of(why))) {
            LingeringClose shutdown =
                    new LingeringClose(below, mine.connection().engine());
            shutdown.install();
            mine.connection().finish(shutdown::sent);
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

    private void giveUp(@Nullable Throwable why) {
        close(why);
        below.close(why);
        release();
    }

    /** The state before. */
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
        tellFailed(why);
        if (TlsLog.LOG.isDebugEnabled()) {
            TlsLog.LOG.debugf(
                    "TLS handshake with %s failed: %s", below.channel().info().remote(), reason);
        }
    }

    private void tellFailed(Throwable why) {
        try {
            onFailed.accept(why);
        } catch (Throwable thrown) {
            TlsLog.LOG.handlerFailed(thrown);
        }
    }

    private void release() {
        input.release();
        releaseEngine();
    }

    private void releaseEngine() {
        Negotiation mine = negotiation;
        if (mine != null) {
            mine.connection().engine().release();
        }
    }

    private void cancelTimer() {
        Timers.Timer mine = timer;
        if (mine != null) {
            mine.cancel();
        }
    }

    /** The state before. */
    private HandshakeState fire(Event event) {
        return state.getAndUpdate(from -> HandshakeState.next(from, event));
    }
}
