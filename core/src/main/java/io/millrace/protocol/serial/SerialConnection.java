package io.millrace.protocol.serial;

import io.millrace.io.AtomicField;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ShortageLogging;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.ProtocolLog;
import io.millrace.protocol.Successor;
import io.millrace.protocol.serial.ConnectionState.Event;
import io.millrace.protocol.serial.SerialCodec.Next;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A connection that serves one request after the other, whatever the protocol: its {@link SerialCodec} reads a request,
 * this dispatches it, and when its exchange is over reads the next, in a loop on whichever thread owns the connection then.
 * {@link ConnectionState} has the states. Holds no buffer while idle.
 */
public final class SerialConnection implements ConnectionHandler {

    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", ConnectionState.class);

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

    // the owner's
    private @Nullable SerialStream stream;
    private @Nullable Lingering lingering;
    private @Nullable Successor successor;
    private Duration timeout = Duration.ZERO;
    private int requests;

    /**
     * The handler of one connection.
     *
     * @param unread bytes read before the protocol was known; ours from now on
     * @param codec of this connection alone
     * @param allowHalfClose may a peer end its output and still read? If not, such a peer has left
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
        outbox = new Outbox(connection);
        fairness = new Fairness(connection, dispatcher.turns());
    }

    // ---- what the transport calls

    @Override
    public void onReadable() {
        if (disconnectWatch.isCallAwaited()) {
            proceed();
        }
    }

    /** The input is ours again, and there may be some. */
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
            onReadable(); // it is not the peer that has to do something now
            return;
        }
        disconnectWatch.isCallAwaited();
        if (state != ConnectionState.HEAD && state != ConnectionState.BODY) {
            connection.close(null);
            return;
        }
        try {
            switch (fire(Event.READABLE)) {
                case READING -> headOverdue();
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
                // in these states it is this stream's, and from now on it stays so
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

    /** An error of a codec, a stream or what they call, on any thread: nothing else would close the connection. */
    private void failed(Throwable error) {
        try {
            connection.close(error);
        } finally {
            if (!(error instanceof IOException) && ShortageLogging.isDue(error)) {
                ProtocolLog.LOG.internalError(error);
            }
        }
    }

    // ---- the loop: state READING, on the owner's thread

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
        if (fairness.isOthersTurn(input.hasUnread())) {
            outbox.flush();
            if (fairness.letOthersGoFirst(this::run)) {
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
        dispatcher.dispatch(next.request(), next);
        return next.dispatched() && fire(Event.END) == ConnectionState.READING;
    }

    /** Reads to the end of a request whose response was sent. */
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

    /** Gives the connection to the transport until there is more to read. */
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

    /** Closes the connection once all that was sent is gone. */
    private boolean close() {
        if (fire(Event.LAST) == ConnectionState.CLOSING) {
            outbox.send(this::sent);
        }
        return false;
    }

    private void sent(@Nullable Throwable failure) {
        boolean allUsed = codec.isAllUsed() && !input.hasUnread() && (stream == null || stream.isAllUsed());
        boolean peersLast = stream != null && stream.isPeersLast();
        // if the peer has sent nothing that we did not read it may be closed at once
        if (failure != null || input.isEnded() || allUsed && (peersLast || Lingering.isNothingThere(input))) {
            connection.close(failure);
            return;
        }
        connection.finish(Completion.IGNORE);
        lingering = new Lingering(input);
        waitFor(Lingering.TIME);
        if (fire(Event.SENT) == ConnectionState.LINGERING) {
            linger(lingering);
        }
    }

    private void linger(@Nullable Lingering mine) {
        if (mine != null && !mine.isOver()) {
            awaitInput();
        } else {
            connection.close(null);
        }
    }

    // ---- what the codec asks for, and the exchange by its stream

    /** What the peer sends. For the codec within {@link SerialCodec#next}, for a stream as long as its exchange runs. */
    public Input input() {
        return input;
    }

    /** What is sent to the peer. */
    public Outbox outbox() {
        return outbox;
    }

    /** Below. It is read by {@link #input}, and written to by {@link #outbox}. */
    public Connection transport() {
        return connection;
    }

    /** Serves the requests, and is notified of those that the codec refuses. */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Is this connection to end with the request that it serves? Any thread. */
    public boolean isDraining() {
        return draining;
    }

    /** How many were dispatched. */
    public int requests() {
        return requests;
    }

    /** By the codec: the request that {@link SerialCodec#next} has found. Dispatched when it returns {@link Next#REQUEST}. */
    public Next request(SerialStream next) {
        stream = next;
        return Next.REQUEST;
    }

    /** Gives the connection to the transport until there is more of the body. */
    void awaitBody(SerialStream asking, Duration limit) {
        outbox.flush();
        waitFor(limit);
        if (fire(Event.AWAIT_BODY) != ConnectionState.BODY) {
            asking.bodyReadable(new IOException("the connection is closed"));
        } else if (disconnectWatch.await()) {
            proceed();
        }
    }

    /** The exchange waits for something else: sees to it that the peer's departure is noticed. */
    void watch() {
        if (state == ConnectionState.SERVING) {
            disconnectWatch.watch();
        }
    }

    /** The exchange is over, and its dispatching call has returned or is on another thread. */
    void continueAfter(SerialStream ended) {
        ConnectionState now = fire(Event.END);
        if (now == ConnectionState.READING) {
            outbox.afterwards(this::run);
        } else if (now == ConnectionState.SWALLOWING && ended.isPersistent()) {
            outbox.flush(); // the transport still has the connection: it will come back with more of the body,
        } else if (now == ConnectionState.SWALLOWING) {
            outbox.send(failure -> connection.finish(Completion.IGNORE)); // or with the peer's end
        }
    }

    /**
     * Hands the connection over, once the transport has given the input back: it is made to call soon.
     *
     * @param failure why the answer to the request could not be sent; null if it was
     */
    public void switchTo(Successor next, @Nullable Throwable failure) {
        successor = next;
        if (failure != null) {
            connection.close(failure);
        } else if (fire(Event.SWITCH) == ConnectionState.SWITCHING) {
            if (disconnectWatch.isOff() || disconnectWatch.await()) {
                proceed();
            } else {
                waitFor(AT_ONCE);
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
