package io.millrace.http1;

import io.millrace.http.RequestHead;
import io.millrace.http1.ConnectionState.Event;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ShortagePace;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.RefusedRequest;
import io.millrace.protocol.serial.Input;
import io.millrace.protocol.serial.Lingering;
import io.millrace.protocol.serial.Lookout;
import io.millrace.protocol.serial.Outbox;
import io.millrace.protocol.serial.Pace;
import io.millrace.protocol.serial.Piece;
import io.millrace.protocol.serial.SerialLog;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection: reads a request, dispatches it, and when its exchange is over reads the next, in a loop on
 * whichever thread has the connection then. Who that is, {@link ConnectionState} tells. Holds no buffer while idle.
 */
final class Http1Connection implements ConnectionHandler {

    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private static final AtomicReferenceFieldUpdater<Http1Connection, ConnectionState> STATE =
            AtomicReferenceFieldUpdater.newUpdater(Http1Connection.class, ConnectionState.class, "state");

    private final Http1Protocol protocol;
    private final Connection connection;
    private final Dispatcher dispatcher;
    private final Lookout lookout;
    private final Input input;
    private final Outbox outbox;
    private final Pace pace;
    private volatile ConnectionState state = ConnectionState.IDLE;
    private volatile boolean draining;

    // the owner's
    private @Nullable RequestHeadParser parser;
    private @Nullable Http1Stream stream;
    private @Nullable Lingering lingering;
    private @Nullable Protocol successor;
    private Duration timeout = Duration.ZERO;
    private int requests;

    Http1Connection(Http1Protocol protocol, Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
        this.protocol = protocol;
        this.connection = connection;
        this.dispatcher = dispatcher;
        lookout = new Lookout(connection, !protocol.options().allowHalfClose());
        input = new Input(connection, lookout, unread);
        outbox = new Outbox(connection);
        pace = new Pace(connection, dispatcher.turns());
    }

    // ---- what the transport calls

    @Override
    public void onReadable() {
        if (lookout.isCallAwaited()) {
            proceed();
        }
    }

    /** The input is ours again, and there may be some. */
    private void proceed() {
        pace.begin();
        switch (fire(Event.READABLE)) {
            case READING -> run();
            case SERVING -> {
                waitFor(protocol.options().connectionTimeout());
                stream().bodyReadable(null);
            }
            case LINGERING -> linger(lingering);
            case SWITCHED -> openNext();
            default -> {} // closed meanwhile
        }
    }

    @Override
    public void onIdle() {
        if (lookout.isWatching() || state == ConnectionState.SWITCHING) {
            onReadable(); // it is not the peer that has to do something now
            return;
        }
        lookout.isCallAwaited();
        switch (state) {
            case HEAD -> {
                fire(Event.READABLE);
                refuse(Refusal.HEAD_TOO_SLOW);
            }
            case BODY -> {
                fire(Event.READABLE);
                stream().bodyOverdue();
            }
            default -> connection.close(null);
        }
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        ConnectionState before = STATE.getAndSet(this, ConnectionState.CLOSED);
        input.close();
        outbox.close(cause);
        if (before == ConnectionState.BODY) {
            stream().bodyReadable(new IOException("the connection was closed within the request's body", cause));
        }
        if (before == ConnectionState.SERVING || before == ConnectionState.BODY) {
            stream().connectionClosed(cause); // in these states it is this stream's, and from now on it stays so
        }
    }

    @Override
    public void drain() {
        draining = true;
        lookout.drain(protocol.timers());
    }

    // ---- the loop: state READING, on the owner's thread

    private void run() {
        try {
            boolean more = true;
            while (more) {
                more = stream == null ? readRequest() : finishExchange(stream);
            }
        } catch (IOException e) {
            connection.close(e);
        } catch (Throwable e) { // on any thread: nobody else would look after the connection
            connection.close(e);
            if (ShortagePace.isDue(e)) {
                SerialLog.LOG.internalError(e);
            }
        }
    }

    private boolean readRequest() throws IOException {
        if (pace.isOthersTurn(input.hasUnread())) {
            outbox.flush();
            if (pace.letOthersGoFirst(this::run)) {
                return false;
            }
        }
        Chunk chunk = input.next();
        if (chunk == null) {
            return awaitRequest();
        }
        return chunk.isEnd() ? close() : parse(chunk);
    }

    private boolean parse(Chunk chunk) {
        RequestHeadParser mine = parser == null ? new RequestHeadParser(protocol.rules()) : parser;
        parser = mine;
        Parsing progress = mine.parse(chunk.bytes());
        if (progress != Parsing.COMPLETE) {
            chunk.release();
            return progress == Parsing.NEED_MORE || refuse(mine.refusal());
        }
        RequestHead head = mine.head();
        Http1Stream next = new Http1Stream(this, protocol, head, mine.framing());
        if (chunk.bytes().hasRemaining() && next.body().isExhausted()) {
            mine.next(); // it has looked at the next head already
        } else {
            parser = null;
        }
        input.keep(chunk);
        return dispatch(head, next);
    }

    private boolean dispatch(RequestHead head, Http1Stream next) {
        requests++;
        pace.count();
        stream = next;
        waitFor(protocol.options().connectionTimeout());
        if (fire(Event.REQUEST) != ConnectionState.SERVING) {
            return false;
        }
        if (protocol.options().continueTiming() == ContinueTiming.IMMEDIATELY) {
            next.askForBody();
        }
        dispatcher.dispatch(head, next);
        return next.dispatched() && fire(Event.END) == ConnectionState.READING;
    }

    /** Reads to the end of a request whose response was sent. */
    private boolean finishExchange(Http1Stream last) throws IOException {
        last.pace().end();
        Parsing rest = last.isPersistent() && !last.pace().isOver()
                ? last.swallow(protocol.options().maxSwallowSize())
                : Parsing.REFUSED;
        return switch (rest) {
            case COMPLETE -> {
                stream = null;
                yield true;
            }
            case NEED_MORE -> {
                if (draining) {
                    yield close();
                }
                last.pace().begin();
                yield await(
                        Event.PART_OF_BODY, last.pace().limit(protocol.options().uploadTimeout()));
            }
            case REFUSED -> close();
        };
    }

    private boolean awaitRequest() {
        Http1Options options = protocol.options();
        if (parser != null && parser.isInHead()) {
            Duration left = parser.timeLeft(draining ? DRAIN_LIMIT : options.connectionTimeout());
            return left == null ? refuse(Refusal.HEAD_TOO_SLOW) : await(Event.PART_OF_HEAD, left);
        }
        if (draining) {
            return close();
        }
        Duration limit = requests == 0 ? options.connectionTimeout() : options.keepAliveTimeout();
        if (parser == null || !parser.isBehindEmptyLine()) {
            parser = null;
            return await(Event.NOTHING, limit);
        }
        Duration left = parser.idleTimeLeft(limit);
        return left == null ? close() : await(Event.NOTHING, left);
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
        if (lookout.isOff()) {
            connection.awaitReadable();
        } else if (lookout.await()) {
            proceed();
        }
    }

    private boolean refuse(Refusal why) {
        if (parser != null) {
            protocol.log().note(why, connection.info(), parser);
        }
        String line = parser == null ? null : parser.lineAsSent();
        dispatcher.refused(new RefusedRequest(why.status(), why.found(), line, connection.info()));
        outbox.send(Piece.of(protocol.answers().to(why), Completion.IGNORE));
        return close();
    }

    /** What the reader of a body gets whose client is too slow. The one line about it is written here. */
    ProtocolException giveUp(Refusal why) {
        protocol.log().note(why, connection.info());
        return BodyRefusal.of(why);
    }

    // ---- the end: state CLOSING, then LINGERING

    /** Closes the connection once all that was sent is gone. */
    private boolean close() {
        if (fire(Event.LAST) == ConnectionState.CLOSING) {
            outbox.send(Piece.empty(this::sent));
        }
        return false;
    }

    private void sent(@Nullable Throwable failure) {
        // if the peer has sent nothing that we did not read it may be closed at once
        if (failure != null || input.isEnded() || isAllUsed() && isNothingMore()) {
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

    private boolean isAllUsed() {
        return parser == null
                && !input.hasUnread()
                && (stream == null || stream.body().isExhausted());
    }

    private boolean isNothingMore() {
        return stream != null && stream.isClientsLast() || Lingering.isNothingThere(input);
    }

    private void linger(@Nullable Lingering mine) {
        if (mine == null || mine.isOver()) {
            connection.close(null);
        } else {
            awaitInput();
        }
    }

    // ---- what the exchange asks for, by its stream

    Input input() {
        return input;
    }

    Outbox outbox() {
        return outbox;
    }

    /** Below; its input and output are {@link #input} and {@link #outbox}. */
    Connection transport() {
        return connection;
    }

    /** May another request follow this one, as far as the connection goes? */
    boolean mayKeep(Http1Stream asking) {
        int max = protocol.options().maxKeepAliveRequests();
        return !draining
                && (max < 0 || requests < max)
                && asking.canBeSwallowed()
                && !asking.isTooMuchToSwallow(protocol.options().maxSwallowSize());
    }

    /** Sends the last piece of a response: with the next one, if the next request is here already. */
    void sendLast(Piece piece) {
        if (input.hasUnread() && !connection.mayBlock()) {
            outbox.collect(piece, protocol.guard());
        } else {
            outbox.send(piece);
        }
    }

    /** Gives the connection to the transport until there is more of the body. */
    void awaitBody(Http1Stream asking) {
        outbox.flush();
        waitFor(asking.pace().limit(protocol.options().uploadTimeout()));
        if (fire(Event.AWAIT_BODY) != ConnectionState.BODY) {
            asking.bodyReadable(new IOException("the connection is closed"));
        } else if (lookout.await()) {
            proceed();
        }
    }

    /** The exchange waits for something else: sees to it that the peer's departure is noticed. */
    void watch() {
        if (state == ConnectionState.SERVING) {
            lookout.watch();
        }
    }

    /** The exchange is over, and its dispatching call has returned or is on another thread. */
    void continueAfter(Http1Stream ended) {
        switch (fire(Event.END)) {
            case READING -> outbox.afterwards(this::run);
            case SWALLOWING -> finishWhileAwaitingBody(ended);
            default -> {} // closed meanwhile
        }
    }

    /** If the transport still waits for the peer, it is made to call as soon as it may. */
    void switchTo(Protocol next, @Nullable Throwable failure) {
        successor = next;
        if (failure != null) {
            connection.close(failure);
        } else if (fire(Event.SWITCH) == ConnectionState.SWITCHING) {
            if (lookout.isOff() || lookout.await()) {
                proceed();
            } else {
                waitFor(AT_ONCE);
            }
        }
    }

    private void openNext() {
        waitFor(protocol.options().connectionTimeout());
        ConnectionHandler handler = Objects.requireNonNull(successor).open(connection, input.takeAll(), dispatcher);
        connection.install(handler);
        handler.onReadable();
    }

    // ----

    /** The transport still has the connection: it will come back with more of the body, or with the peer's end. */
    private void finishWhileAwaitingBody(Http1Stream ended) {
        if (ended.isPersistent()) {
            outbox.flush();
        } else {
            outbox.send(Piece.empty(failure -> connection.finish(Completion.IGNORE)));
        }
    }

    private Http1Stream stream() {
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
