package io.millrace.protocol.serial;

import io.millrace.io.AtomicField;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.io.ShortageLogging;
import io.millrace.log.CoreLog;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Successor;
import io.millrace.protocol.serial.ConnectionState.Event;
import io.millrace.protocol.serial.SerialCodec.Next;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection that serves one request at a time, whatever the protocol: its {@link SerialCodec} reads a request, this
 * class dispatches it, and reads the next one when its exchange has ended, in a loop on the thread that owns the
 * connection then. {@link ConnectionState} describes the states. Holds no buffer while idle.
 */
public final class SerialConnection implements ConnectionHandler {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", ConnectionState.class);

    /** How long the first request waits of a client at an address where many are aborted. */
    private static final Duration HOLD = Duration.ofSeconds(1);

    private final SerialCodec codec;
    private final SerialTimes times;
    private final boolean allowHalfClose;
    private final Connection connection;
    private final Dispatcher dispatcher;
    private final DisconnectWatch disconnectWatch;
    private final Input input;
    private final Outbox outbox;
    private final Fairness fairness;
    private volatile ConnectionState state = ConnectionState.IDLE;
    private volatile boolean draining;

    // confined to the connection's owner
    private @Nullable SerialStream stream;
    private @Nullable Lingering lingering;
    private @Nullable Successor successor;
    private Duration timeout = Duration.ZERO;
    private int requests;

    /**
     * The handler of a connection.
     *
     * @param unread bytes that were read before the protocol was selected, owned by this object; null if there are none
     * @param codec the codec of this connection
     * @param allowHalfClose whether a peer may end its output and still receive; otherwise it counts as disconnected
     */
    public SerialConnection(
            Connection connection,
            @Nullable Chunk unread,
            Dispatcher dispatcher,
            SerialCodec codec,
            SerialTimes times,
            boolean allowHalfClose) {
        this.codec = codec;
        this.times = times;
        this.allowHalfClose = allowHalfClose;
        this.connection = connection;
        this.dispatcher = dispatcher;
        disconnectWatch = new DisconnectWatch(connection, !allowHalfClose);
        input = new Input(connection, disconnectWatch, unread);
        outbox = new Outbox(connection, this::watch);
        fairness = new Fairness(connection, dispatcher.turns());
    }

    // ---- called by the transport

    @Override
    public void onReadable() {
        if (disconnectWatch.isCallAwaited()) {
            proceed();
        }
    }

    /** The transport has returned the input, which may have arrived. */
    private void proceed() {
        try {
            fairness.begin();
            switch (fire(Event.READABLE)) {
                case READING -> run();
                case SERVING -> {
                    waitFor(times.first());
                    stream().bodyReadable(null);
                }
                case LINGERING -> linger(lingering);
                case SWITCHED -> openNext();
                default -> {} // closed meanwhile
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    @Override
    public void onIdle() {
        if (disconnectWatch.isWatching() || state == ConnectionState.SWITCHING) {
            onReadable(); // the server does not wait for the peer now
            return;
        }
        disconnectWatch.isCallAwaited();
        ConnectionState waited = state;
        if (waited == ConnectionState.SWALLOWING || waited == ConnectionState.LINGERING) {
            connection.close(null);
            return;
        }
        try {
            switch (fire(Event.READABLE)) {
                case READING -> {
                    if (waited == ConnectionState.HEAD) {
                        headOverdue();
                    } else {
                        close();
                    }
                }
                case SERVING -> {
                    waitFor(times.first());
                    stream().bodyOverdue();
                }
                default -> {} // closed meanwhile
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        ConnectionState before = (ConnectionState) STATE.getAndSet(this, ConnectionState.CLOSED);
        try {
            input.close();
            outbox.close(cause);
        } finally {
            if (before == ConnectionState.SERVING || before == ConnectionState.BODY) {
                // the connection belonged to this stream, which does not change any more
                stream().connectionClosed(before == ConnectionState.BODY, cause);
            }
        }
    }

    @Override
    public void drain() {
        draining = true;
        if (allowHalfClose) {
            disconnectWatch.drain(connection.channel().timers());
        }
    }

    /** Handles an error of a codec, a stream or their callees, on any thread: nothing else would close the connection. */
    private void failed(Throwable error) {
        try {
            connection.close(error);
        } finally {
            if (!(error instanceof IOException) && ShortageLogging.isDue(error)) {
                CoreLog.PROTOCOL.internalError(error);
            }
        }
    }

    // ---- the loop: in state READING, on the owner's thread

    private void run() {
        try {
            boolean more = true;
            while (more) {
                SerialStream last = stream;
                more = last == null ? readRequest() : finishExchange(last);
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    private boolean readRequest() throws IOException {
        if (fairness.shouldYield(input.hasUnread())) {
            outbox.flush();
            if (fairness.requeue(this::run)) {
                return false;
            }
        }
        Next next = codec.next(this);
        return switch (next) {
            case REQUEST -> dispatch(stream());
            case HANDLED -> {
                fairness.count();
                yield true;
            }
            case NOTHING ->
                draining ? close() : await(next, Event.NOTHING, requests == 0 ? times.first() : times.next());
            case PART_OF_HEAD -> await(next, Event.PART_OF_HEAD, draining ? DRAIN_LIMIT : times.rest());
            case PART_OF_BODY -> draining ? close() : await(next, Event.PART_OF_BODY, times.rest());
            case LAST -> close();
        };
    }

    private boolean dispatch(SerialStream next) {
        requests++;
        fairness.count();
        waitFor(times.first());
        if (fire(Event.REQUEST) != ConnectionState.SERVING) {
            return false;
        }
        if (requests == 1 && isHeldBack(connection.channel())) {
            holdBack(next);
            return false;
        }
        return serve(next);
    }

    private boolean serve(SerialStream next) {
        dispatcher.dispatch(next.request(), next);
        return next.dispatched() && fire(Event.END) == ConnectionState.READING;
    }

    /** Not on a thread of its own, which would not notice that its client has left meanwhile, and be missing for others. */
    private static boolean isHeldBack(Channel channel) {
        return !channel.mayBlock() && channel.meter().aborted().isAbove(channel.info(), System.nanoTime());
    }

    /** Serves the first request after a while, unless its client has left by then. */
    private void holdBack(SerialStream next) {
        Channel channel = connection.channel();
        if (channel.limits().reached(Limit.ADDRESS_ABORTS)
                && channel.info().remote() instanceof InetSocketAddress client) {
            CoreLog.PROTOCOL.requestsWait(client.getHostString());
        }
        watch();
        channel.timers().schedule(() -> release(next), HOLD);
    }

    private void release(SerialStream next) {
        try {
            if (!dispatcher.turns().take(() -> serveHeld(next))) {
                connection.close(new IOException("no worker thread is available"));
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void serveHeld(SerialStream next) {
        try {
            if (state == ConnectionState.SERVING && serve(next)) {
                run();
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    /** Discards the rest of a request whose response was sent. */
    private boolean finishExchange(SerialStream last) throws IOException {
        return switch (last.finish()) {
            case HANDLED -> {
                stream = null;
                yield true;
            }
            case PART_OF_BODY -> draining ? close() : await(Event.PART_OF_BODY, last.beginWait());
            default -> close();
        };
    }

    private boolean await(Next what, Event event, Duration limit) throws IOException {
        Duration left = codec.timeLeft(what, limit);
        return left != null ? await(event, left) : what == Next.PART_OF_HEAD ? headOverdue() : close();
    }

    /** Returns the connection to the transport until more input arrives. */
    private boolean await(Event what, Duration limit) {
        outbox.flush();
        waitFor(limit);
        if (fire(what) != ConnectionState.CLOSED) {
            awaitInput();
        }
        return false;
    }

    private void awaitInput() {
        if (disconnectWatch.isOff()) {
            connection.awaitReadable();
        } else if (disconnectWatch.await()) {
            proceed();
        }
    }

    private boolean headOverdue() throws IOException {
        codec.headOverdue(this);
        return close();
    }

    // ---- the end: state CLOSING, then LINGERING

    /** Closes the connection when all output has been sent. */
    private boolean close() {
        if (fire(Event.LAST) == ConnectionState.CLOSING) {
            outbox.send(this::sent);
        }
        return false;
    }

    private void sent(@Nullable Throwable failure) {
        boolean allRead = failure == null && isAllRead();
        // without unread input, the connection can be closed immediately if the peer knows that it ends
        if (failure != null
                || input.isEnded()
                || allRead && (stream != null || times.ended().isZero())) {
            connection.close(failure);
            return;
        }
        connection.finish(Completion.IGNORE);
        Duration time = allRead ? times.ended() : Lingering.TIME;
        lingering = new Lingering(input, time);
        waitFor(time);
        if (fire(Event.SENT) == ConnectionState.LINGERING) {
            linger(lingering);
        }
    }

    private boolean isAllRead() {
        SerialStream last = stream;
        if (!codec.isAllUsed() || input.hasUnread() || last != null && !last.isAllUsed()) {
            return false;
        }
        boolean peersLast = last != null && last.isPeersLast();
        // if the watch is not off, the transport may be reading
        return peersLast || disconnectWatch.isOff() && Lingering.isDrained(input);
    }

    private void linger(@Nullable Lingering current) {
        if (current != null && !current.isOver()) {
            awaitInput();
        } else {
            connection.close(null);
        }
    }

    // ---- for the codec and the streams

    /** The input. Used by the codec inside {@link SerialCodec#next}, and by a stream during its exchange. */
    public Input input() {
        return input;
    }

    /** The output. */
    public Outbox outbox() {
        return outbox;
    }

    /** The connection below, which is read by {@link #input} and written by {@link #outbox}. */
    public Connection transport() {
        return connection;
    }

    /** Receives the requests, and is notified of those that the codec rejects. */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Whether the connection is to be closed after the current request. Safe to call from any thread. */
    public boolean isDraining() {
        return draining;
    }

    /** The number of dispatched requests. */
    public int requests() {
        return requests;
    }

    /** Sets the request that {@link SerialCodec#next} has read, which is dispatched when that returns {@link Next#REQUEST}. */
    public Next request(SerialStream next) {
        stream = next;
        return Next.REQUEST;
    }

    /** Returns the connection to the transport until more of the body arrives. */
    void awaitBody(SerialStream reader, Duration limit) {
        outbox.flush();
        waitFor(limit);
        if (fire(Event.AWAIT_BODY) != ConnectionState.BODY) {
            reader.bodyReadable(new IOException("the connection is closed"));
        } else if (disconnectWatch.await()) {
            proceed();
        }
    }

    /** Called when the exchange waits for something else, or its response for the peer: watches for a disconnect. */
    void watch() {
        if (state == ConnectionState.SERVING) {
            disconnectWatch.watch();
        }
    }

    /** Called when the exchange has ended, and its dispatching call has returned or is on another thread. */
    void continueAfter(SerialStream ended) {
        ConnectionState now = fire(Event.END);
        if (now == ConnectionState.READING) {
            outbox.afterwards(this::run);
        } else if (now == ConnectionState.SWALLOWING && ended.isPersistent()) {
            outbox.flush(); // the transport owns the connection, and will report more of the body,
        } else if (now == ConnectionState.SWALLOWING) {
            outbox.send(failure -> connection.finish(Completion.IGNORE)); // or the end of the peer's output
        }
    }

    /**
     * Passes the connection to another protocol, once the transport has returned the input, which is taken back.
     *
     * @param failure why the response could not be sent; null if it was sent
     */
    public void switchTo(Successor next, @Nullable Throwable failure) {
        successor = next;
        if (failure != null) {
            connection.close(failure);
        } else if (fire(Event.SWITCH) == ConnectionState.SWITCHING) {
            if (disconnectWatch.isOff() || disconnectWatch.takeBack()) {
                proceed();
            }
        }
    }

    private void openNext() {
        waitFor(times.first());
        ConnectionHandler handler = Successor.handler(Objects.requireNonNull(successor), connection, input.takeAll());
        connection.install(handler);
        handler.onReadable();
    }

    private SerialStream stream() {
        return Objects.requireNonNull(stream, "there is no exchange");
    }

    private void waitFor(Duration limit) {
        if (!limit.equals(timeout)) {
            timeout = limit;
            connection.idleTimeout(limit);
        }
    }

    private ConnectionState fire(Event event) {
        while (true) {
            ConnectionState from = state;
            ConnectionState to = ConnectionState.next(from, event);
            if (to == null) {
                throw new IllegalStateException(event + " in state " + from);
            }
            if (STATE.compareAndSet(this, from, to)) {
                return to;
            }
        }
    }
}
