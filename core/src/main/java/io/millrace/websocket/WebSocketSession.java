package io.millrace.websocket;

import io.millrace.exchange.Attributes;
import io.millrace.exchange.BodySource;
import io.millrace.exchange.ExchangeChannel;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.RequestId;
import io.millrace.exchange.RoutePrediction;
import io.millrace.exchange.Suspension;
import io.millrace.exchange.TunnelHandler;
import io.millrace.http.RequestHead;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Delays;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.log.CoreLog;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket connection over an exchange's tunnel, of a server or a client. It connects these parts:
 *
 * <pre>
 * tunnel ─▸ SessionReader ─▸ WebSocketFrameReader ─▸ MessageAssembly ─▸ ListenerCalls, MessageStrand ─▸ listener
 * tunnel ◂─ WebSocketFrameWriter ◂─ SendQueue ◂─ MessageSender ◂─ any thread
 *           ClosingHandshake: the end              SessionClock: idle timeout and pings
 * </pre>
 *
 * <p>Thread-safe. The exchange is suspended as long as the connection is open, and ends with it.
 */
final class WebSocketSession implements WebSocketConnection, TunnelHandler {

    /** The cost of context takeover is logged once. */
    private static final AtomicBoolean TAKEOVER_LOGGED = new AtomicBoolean();

    private final WebSocketInfo info;
    private final @Nullable MessageMeter meter;
    private final boolean takeover;
    private final SessionReader reader;
    private final MessageSender sender;
    private final SessionReader.ListenerCalls calls;
    private final ClosingHandshake closing = new ClosingHandshake(this);
    private volatile WebSocketOptions options;

    /** Null without idle timeout and ping interval. */
    private volatile @Nullable SessionClock clock;

    /** Null until the tunnel is open. */
    private volatile @Nullable HttpExchange exchange;

    private volatile @Nullable Suspension suspension;
    private volatile boolean draining;
    private volatile boolean writesBlock;

    /** That of the handshake, which the lines of all messages have; set before the first call of the listener. */
    private @Nullable RequestId requestId;

    WebSocketSession(
            WebSocketInfo info,
            @Nullable DeflateParameters deflate,
            WebSocketListener listener,
            WebSocketOptions options,
            @Nullable MessageMeter meter) {
        this.info = info;
        this.meter = meter;
        this.options = options;
        takeover = deflate != null && (deflate.serverTakeover() || deflate.clientTakeover());
        reader = new SessionReader(this, info.role(), deflate);
        sender = new MessageSender(this, info.role(), deflate);
        calls = new SessionReader.ListenerCalls(this, listener);
    }

    SessionReader reader() {
        return reader;
    }

    MessageSender sender() {
        return sender;
    }

    SessionReader.ListenerCalls calls() {
        return calls;
    }

    @Nullable
    RequestId requestId() {
        return requestId;
    }

    ClosingHandshake closing() {
        return closing;
    }

    @Override
    public void handle(HttpExchange tunnel) {
        writesBlock = tunnel.channel().connection().mayBlock();
        requestId = RequestId.current();
        exchange = tunnel;
        tunnel.onEnd(outcome -> exchangeEnded(outcome.failure()));
        suspension = tunnel.suspend(Duration.ZERO, expired -> {});
        startClock(options);
        if (takeover && TAKEOVER_LOGGED.compareAndSet(false, true)) {
            CoreLog.WEBSOCKET.contextTakeover(printablePath());
        }
        reader.onThread(() -> calls.add(Delivery.Kind.OPEN, ""));
        if (draining) {
            close(CloseStatus.GOING_AWAY);
        }
    }

    /** Closes with 1001, but not all connections of a server at once: their peers reconnect to other servers. */
    @Override
    public void drain() {
        draining = true;
        if (exchange != null) {
            closing.drain(exchange().channel().timers());
        }
    }

    private HttpExchange exchange() {
        return Objects.requireNonNull(exchange, "the tunnel is not open yet");
    }

    private void exchangeEnded(@Nullable Throwable failure) {
        lost(failure != null ? failure : new IOException("the connection was closed"));
    }

    BodySource input() {
        return exchange().input();
    }

    void write(Payload payload, Completion completion) {
        exchange().output().write(payload, false, completion);
    }

    /** Whether a write blocks its thread until the peer has read. */
    boolean writesBlock() {
        return writesBlock;
    }

    /**
     * Runs a task on a worker.
     *
     * @throws RejectedExecutionException if no worker accepts it
     */
    void handOver(Runnable task) {
        exchange().channel().handOver(task);
    }

    /**
     * The same for calls of the listener, within the client's share of the workers.
     *
     * @throws RejectedExecutionException if no worker accepts it
     */
    void handOverToShare(Runnable task) {
        exchange().channel().handOverToShare(task);
    }

    /**
     * The same, or on the connection's event loop if the calls of this route are expected to be short.
     *
     * @throws RejectedExecutionException if no worker accepts it
     */
    void handOverToShare(RoutePrediction route, ExchangeChannel.LoopTask task) {
        exchange().channel().handOverToShare(route, task);
    }

    /** Runs a task later; it must not block. */
    Timers.Timer after(long nanos, Runnable task) {
        return exchange().channel().timers().scheduleNanos(task, nanos);
    }

    String printablePath() {
        return PeerFaults.printable(request().path().raw());
    }

    @Override
    public void close(CloseStatus why) {
        if (!CloseStatus.isSendable(why.code())) {
            throw new IllegalArgumentException("the close code " + why.code()
                    + " must not be sent in a close frame; expected 1000, for example (RFC 6455, 7.4)");
        }
        closing.close(why);
    }

    /** Closes after the idle timeout. No close frame of the peer has arrived, which a listener that ends at once is told. */
    void closeIdle(CloseStatus why) {
        closing.close(why, calls.endsAtOnce() ? new CloseStatus(CloseStatus.ABNORMAL.code(), why.reason()) : why);
    }

    @Override
    public void abort(Throwable cause) {
        try {
            lost(cause);
        } finally {
            HttpExchange open = exchange;
            if (open != null) {
                open.abort(cause);
            }
        }
    }

    /** The connection is broken. Thread-safe; idempotent. */
    void lost(Throwable cause) {
        closing.lost(cause);
    }

    /** The peer has violated the protocol. */
    void fail(WebSocketException fault) {
        if (closing.fail(fault)) {
            PeerFaults.closed(connection().remote(), request().path().raw(), fault);
        }
    }

    /** Stops reading, timers and sending. Called when the closing handshake is complete or the connection is lost. */
    void release(Throwable cause) {
        SessionClock running = clock;
        if (running != null) {
            running.stop();
        }
        reader.stop();
        sender.writer().fail(cause);
    }

    /** Ends the exchange: pending output is sent, then the end of the stream. */
    void complete() {
        Suspension held = suspension;
        if (held != null) {
            held.complete();
        }
    }

    @Override
    public boolean isOpen() {
        return closing.state() == ClosingHandshake.State.OPEN;
    }

    /** Whether input is still processed. */
    boolean isReading() {
        return closing.state().isReading();
    }

    @Override
    public void sendText(String message, Completion completion) {
        sender.sendText(message, completion);
    }

    @Override
    public void sendText(String message) {
        sender.sendText(message, null);
    }

    @Override
    public void sendBinary(ByteBuffer message, Completion completion) {
        sender.send(Opcode.BINARY, message, true, completion);
    }

    @Override
    public void sendBinary(ByteBuffer message) {
        sender.send(Opcode.BINARY, message, false, null);
    }

    @Override
    public void send(PreparedMessage message, Completion completion) {
        sender.send(message, completion);
    }

    @Override
    public void send(PreparedMessage message) {
        sender.send(message, null);
    }

    @Override
    public MessageOutput startMessage(boolean text) {
        return sender.startMessage(text);
    }

    @Override
    public void ping(ByteBuffer payload, Completion completion) {
        sender.sendControl(Opcode.PING, payload, completion);
    }

    @Override
    public void pong(ByteBuffer payload, Completion completion) {
        sender.sendControl(Opcode.PONG, payload, completion);
    }

    @Override
    public void cork() {
        sender.writer().cork();
    }

    @Override
    public void flush() {
        sender.flush();
    }

    @Override
    public long unsent() {
        return sender.writer().unsent();
    }

    @Override
    public boolean awaitRoom(Duration timeout) throws InterruptedException {
        return sender.writer().awaitRoom(Delays.nanos(timeout));
    }

    @Override
    public void pause() {
        calls.strand().pause();
    }

    @Override
    public void resume() {
        calls.strand().resume();
    }

    @Override
    public WebSocketInfo info() {
        return info;
    }

    @Override
    public RequestHead request() {
        return exchange().request();
    }

    @Override
    public ConnectionInfo connection() {
        return exchange().channel().info();
    }

    @Override
    public Attributes attributes() {
        return exchange().attributes();
    }

    @Override
    public WebSocketOptions options() {
        return options;
    }

    @Override
    public void options(WebSocketOptions changed) {
        options = changed;
        startClock(changed);
    }

    private synchronized void startClock(WebSocketOptions current) {
        boolean needed = !current.get(WebSocketOptions.IDLE_TIMEOUT).isZero()
                || !current.get(WebSocketOptions.PING_INTERVAL).isZero();
        SessionClock running = clock;
        if (exchange == null || !needed && running == null) {
            return;
        }
        if (running == null) {
            running = new SessionClock(this);
            clock = running;
        }
        running.restart();
        if (closing.state() == ClosingHandshake.State.CLOSED) {
            running.stop(); // the connection ended meanwhile, and release() may not have seen the clock
        }
    }

    /** A message has arrived. */
    void messageReceived() {
        if (meter != null) {
            meter.addReceived();
        }
    }

    /** A message will be sent. */
    void messageQueued() {
        if (meter != null) {
            meter.addSent();
        }
    }

    /** Restarts the idle timeout and the ping interval. */
    void inputReceived() {
        SessionClock running = clock;
        if (running != null) {
            running.received();
        }
    }

    /** A write is complete: restarts the idle timeout. */
    void written() {
        SessionClock running = clock;
        if (running != null) {
            running.sent();
        }
    }

    /**
     * The idle timeout and the ping interval of one connection. There is one timer, which is not rescheduled on input or output: it
     * checks the times of the last input and output when it expires.
     */
    private static final class SessionClock implements Runnable {

        private static final CloseStatus IDLE =
                new CloseStatus(CloseStatus.GOING_AWAY.code(), "nothing was sent or received within the idle timeout");

        private final WebSocketSession session;
        private volatile long received;
        private volatile long sent;

        // guarded by this
        private long pinged;
        private boolean stopped;
        private Timers.@Nullable Timer timer;

        SessionClock(WebSocketSession session) {
            this.session = session;
            received = System.nanoTime();
            sent = received;
            pinged = received;
        }

        void received() {
            received = System.nanoTime();
        }

        void sent() {
            sent = System.nanoTime();
        }

        /** Reschedules the timer: the options have changed, or it has expired. */
        synchronized void restart() {
            cancel();
            schedule(System.nanoTime());
        }

        synchronized void stop() {
            stopped = true;
            cancel();
        }

        private void cancel() {
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        }

        @Override
        public void run() {
            long now = System.nanoTime();
            WebSocketOptions options = session.options();
            long idle = Delays.nanos(options.get(WebSocketOptions.IDLE_TIMEOUT));
            long interval = Delays.nanos(options.get(WebSocketOptions.PING_INTERVAL));
            boolean dead;
            boolean ping;
            synchronized (this) {
                if (stopped) {
                    return;
                }
                boolean quiet = interval > 0 && now - received >= interval;
                dead = quiet && isUnanswered() && now - pinged >= interval;
                ping = quiet && !isUnanswered();
                if (ping) {
                    pinged = now;
                }
            }
            if (dead) {
                session.abort(new SocketTimeoutException(
                        "the peer did not answer a ping within " + options.get(WebSocketOptions.PING_INTERVAL)
                                + "; the option is " + WebSocketOptions.PING_INTERVAL.name()));
            } else if (idle > 0 && now - Math.max(received, sent) >= idle) {
                session.closeIdle(IDLE);
            } else {
                if (ping) {
                    session.ping(ByteBuffer.allocate(0), Completion.IGNORE);
                }
                restart();
            }
        }

        /** Called with the lock held. Was nothing received since the last ping? */
        private boolean isUnanswered() {
            return pinged - received > 0;
        }

        /** Called with the lock held. */
        private void schedule(long now) {
            long idle = Delays.nanos(session.options().get(WebSocketOptions.IDLE_TIMEOUT));
            long interval = Delays.nanos(session.options().get(WebSocketOptions.PING_INTERVAL));
            long due = Delays.LONGEST_NANOS;
            if (idle > 0) {
                due = Math.max(received, sent) + idle - now;
            }
            if (interval > 0) {
                due = Math.min(due, (isUnanswered() ? pinged : received) + interval - now);
            }
            if (!stopped && due < Delays.LONGEST_NANOS) {
                timer = session.after(Math.max(due, 0), this);
            }
        }
    }
}
