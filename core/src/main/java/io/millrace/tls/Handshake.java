package io.millrace.tls;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.tls.HandshakeState.Event;
import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection from its first byte to the end of its handshake: finds out by the ClientHello which engine to use, then
 * carries messages between the peer and that engine. See {@link HandshakeState} for who does that.
 */
final class Handshake implements ConnectionHandler {

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Handshake.class, "state", HandshakeState.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** A handshake with a long chain of client certificates takes a quarter of it. */
    private static final int MOST_BYTES = 128 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final ByteBuffer NO_ROOM = ByteBuffer.allocate(0);

    private final TlsLayer layer;
    private final Connection below;
    private final Consumer<Connection> onReady;
    private final CipherInput input = new CipherInput();
    private volatile HandshakeState state = HandshakeState.RUNNING;
    private volatile boolean draining;
    private Timers.@Nullable Timer timer;

    // of whoever runs it

    private @Nullable HelloReader reader = new HelloReader();
    private @Nullable TlsConnection connection;
    private boolean computed;
    private int received;

    Handshake(TlsLayer layer, Connection below, Consumer<Connection> onReady) {
        this.layer = layer;
        this.below = below;
        this.onReady = onReady;
    }

    void begin() {
        if (!layer.handshakeTimeout().isZero()) {
            timer = layer.timers().schedule(this::timeout, layer.handshakeTimeout());
        }
        below.install(this);
        run();
    }

    // ---- what the connection below tells, in any state

    @Override
    public void onReadable() {
        if (fire(Event.READABLE) == HandshakeState.WAITING) {
            run();
        }
    }

    @Override
    public void onIdle() {
        below.awaitReadable(); // our own time counts
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        if (over(cause) == HandshakeState.WAITING) {
            release();
        }
    }

    @Override
    public void drain() {
        draining = true;
    }

    private void timeout() {
        below.close(new SocketTimeoutException(
                "it took longer than " + layer.handshakeTimeout().toMillis() + " ms"));
    }

    // ---- state RUNNING, one thread

    private void run() {
        try {
            boolean more = true;
            while (more) {
                TlsConnection known = connection;
                more = known == null ? readHello() : negotiate(known);
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
        HelloReader mine = reader;
        if (mine == null) {
            throw new IllegalStateException("the ClientHello was read before");
        }
        return switch (mine.look(input)) {
            case MORE -> readMore();
            case HELLO -> choose(mine.hello());
            case PLAIN_HTTP -> refuse(Refusal.PLAIN_HTTP);
            case NOT_TLS -> refuse(Refusal.NOT_TLS);
            case MALFORMED -> refuse(Refusal.MALFORMED);
            case TOO_LARGE -> refuse(Refusal.TOO_LARGE);
        };
    }

    private boolean choose(ClientHello hello) {
        TlsEngine engine =
                layer.engines().create(hello.serverName(), below.info().remote());
        if (engine == null) {
            return refuse(Refusal.UNKNOWN_HOST);
        }
        reader = null;
        connection = new TlsConnection(below, engine, input, layer.records());
        return true;
    }

    private boolean negotiate(TlsConnection mine) throws IOException {
        TlsEngine engine = mine.engine();
        if (computed) {
            computed = false;
            engine.unwrap(
                    NOTHING.duplicate(),
                    NO_ROOM.duplicate()); // a task that failed says so now, before its alert is sent
        }
        if (engine.hasOutput()) {
            mine.flush();
            if (engine.hasOutput()) {
                return await(); // the peer takes nothing; it will have to before it sends more
            }
        }
        if (!engine.isHandshaking()) {
            return ready(mine);
        }
        Runnable task = engine.takeTask();
        if (task != null) {
            return compute(task);
        }
        return input.hasRecord() ? unwrap(engine) : readMore();
    }

    private boolean unwrap(TlsEngine engine) throws IOException {
        ByteBuffer scratch = layer.records().take();
        try {
            ByteBuffer record = input.record(scratch);
            if (record == null) {
                return true;
            }
            int before = record.remaining();
            TlsEngine.Status status = engine.unwrap(record, NO_ROOM.duplicate());
            boolean stuck = record.remaining() == before && status == TlsEngine.Status.NEEDS_INPUT;
            input.used();
            if (stuck || status == TlsEngine.Status.NEEDS_ROOM) {
                throw new SSLException("the client sent what does not belong into a handshake");
            }
            if (status == TlsEngine.Status.CLOSED) {
                throw new EOFException("the client ended it");
            }
            return true;
        } finally {
            layer.records().giveBack(scratch);
        }
    }

    private boolean readMore() throws IOException {
        Chunk chunk = below.read();
        if (chunk == null) {
            return await();
        }
        if (chunk.isEnd()) {
            throw new EOFException("the client went away");
        }
        received += chunk.bytes().remaining();
        if (received > MOST_BYTES) {
            chunk.release();
            throw new SSLException("the client sent more than " + MOST_BYTES + " bytes");
        }
        input.add(chunk, below.buffers());
        return true;
    }

    private boolean await() {
        if (draining && received == 0) {
            giveUp(null);
        } else if (fire(Event.NOTHING) == HandshakeState.CLOSED) {
            release();
        } else {
            below.awaitReadable();
        }
        return false;
    }

    private boolean compute(Runnable task) {
        computed = true;
        if (below.mayBlock()) {
            task.run();
            return true;
        }
        if (fire(Event.TASK) == HandshakeState.CLOSED) {
            release();
            return false;
        }
        try {
            layer.tasks().execute(() -> {
                task.run();
                resume();
            });
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
            run();
        }
    }

    private boolean ready(TlsConnection mine) {
        if (fire(Event.DONE) == HandshakeState.CLOSED) {
            release();
            return false;
        }
        cancelTimer();
        layer.countDone();
        below.install(mine.upcalls());
        if (draining) {
            mine.upcalls().drain();
        }
        try {
            onReady.accept(mine);
        } catch (Throwable thrown) {
            mine.failed(thrown);
        }
        return false;
    }

    // ---- the end of one that fails

    /** Something else than a handshake that we could go on with. */
    private boolean refuse(Refusal why) {
        if (refused(why.found())) {
            Farewell farewell = new Farewell(below, null);
            farewell.install();
            below.write(Payload.of(why.answer()), failure -> below.finish(farewell::sent));
        }
        return false;
    }

    /** The engine has an alert ready that says why; without an engine there is nothing to say. */
    private void refuse(SSLException why) {
        TlsConnection mine = connection;
        if (mine == null) {
            giveUp(why);
        } else if (refused(Reasons.of(why))) {
            Farewell farewell = new Farewell(below, mine.engine());
            farewell.install();
            mine.finish(farewell::sent);
        }
    }

    private boolean refused(String reason) {
        HandshakeState before = fire(Event.REFUSE);
        input.release();
        if (before == HandshakeState.CLOSED) {
            releaseEngine();
            return false;
        }
        cancelTimer();
        failed(reason);
        return true;
    }

    private void giveUp(@Nullable Throwable why) {
        over(why);
        below.close(why);
        release();
    }

    /** Closed. The state before. */
    private HandshakeState over(@Nullable Throwable cause) {
        HandshakeState before = fire(Event.CLOSE);
        if (before != HandshakeState.DONE && before != HandshakeState.REFUSED && before != HandshakeState.CLOSED) {
            cancelTimer();
            failed(Reasons.of(cause));
        }
        return before;
    }

    private void failed(String reason) {
        layer.countFailed();
        if (TlsLog.LOG.isDebugEnabled()) {
            TlsLog.LOG.debugf("TLS handshake with %s failed: %s", below.info().remote(), reason);
        }
    }

    private void release() {
        input.release();
        releaseEngine();
    }

    private void releaseEngine() {
        if (connection != null) {
            connection.engine().release();
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
        while (true) {
            HandshakeState from = state;
            HandshakeState to = HandshakeState.next(from, event);
            if (to == null) {
                throw new IllegalStateException(from + ", " + event);
            }
            if (STATE.compareAndSet(this, from, to)) {
                return from;
            }
        }
    }
}
