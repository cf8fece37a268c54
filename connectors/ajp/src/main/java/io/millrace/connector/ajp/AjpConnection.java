package io.millrace.connector.ajp;

import io.millrace.connector.ajp.ConnectionState.Event;
import io.millrace.http.Status;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.io.ShortagePace;
import io.millrace.io.Turns;
import io.millrace.protocol.Dispatcher;
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
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One AJP connection: reads a packet, dispatches a request or answers a ping, and when the exchange is over reads the next,
 * in a loop on whichever thread has the connection then. Who that is, {@link ConnectionState} tells. Holds no buffer while
 * idle.
 */
final class AjpConnection implements ConnectionHandler {

    private static final AtomicReferenceFieldUpdater<AjpConnection, ConnectionState> STATE =
            AtomicReferenceFieldUpdater.newUpdater(AjpConnection.class, ConnectionState.class, "state");

    private final AjpProtocol protocol;
    private final Connection connection;
    private final Dispatcher dispatcher;
    private final Lookout lookout;
    private final Input input;
    private final Outbox outbox;
    private final Packets packets;
    private final Pace pace;
    private volatile ConnectionState state = ConnectionState.IDLE;
    private volatile boolean draining;

    // the owner's
    private @Nullable AjpStream stream;
    private @Nullable Lingering lingering;
    private @Nullable AjpBody refused;
    private Duration timeout = Duration.ZERO;
    private boolean used;

    AjpConnection(AjpProtocol protocol, Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
        this.protocol = protocol;
        this.connection = connection;
        this.dispatcher = dispatcher;
        lookout = new Lookout(connection, true); // a front end that ends its output is gone
        input = new Input(connection, lookout, unread);
        outbox = new Outbox(connection);
        packets = new Packets(input, protocol.options().packetSize());
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
            default -> {} // closed meanwhile
        }
    }

    @Override
    public void onIdle() {
        if (lookout.isWatching()) {
            onReadable(); // it is not the front end that has to do something now
            return;
        }
        lookout.isCallAwaited();
        switch (state) {
            case PACKET -> malformed(new BadPacketException(Defect.TOO_SLOW));
            case BODY -> {
                fire(Event.READABLE);
                stream()
                        .bodyReadable(new ProtocolException(
                                Status.REQUEST_TIMEOUT,
                                "The request's body did not come within the connectionTimeout"));
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
    }

    // ---- the loop: state READING, on the owner's thread

    private void run() {
        try {
            boolean more = true;
            while (more) {
                more = stream != null
                        ? finishExchange(stream)
                        : refused != null ? finishRefusal(refused) : readPacket();
            }
        } catch (BadPacketException bad) {
            malformed(bad);
        } catch (IOException e) {
            connection.close(e);
        } catch (Throwable e) { // on any thread: nobody else would look after the connection
            connection.close(e);
            if (ShortagePace.isDue(e)) {
                SerialLog.LOG.internalError(e);
            }
        }
    }

    private boolean readPacket() throws IOException {
        if (pace.isOthersTurn(input.hasUnread()) && pace.letOthersGoFirst(this::run)) {
            return false;
        }
        PacketFields packet = packets.next();
        if (packet != null) {
            pace.count();
            return accept(packet);
        }
        return input.isEnded() ? close() : awaitPacket();
    }

    private boolean accept(PacketFields packet) throws IOException {
        if (packet.isAtEnd()) {
            throw new BadPacketException(Defect.EMPTY);
        }
        int type = packet.octet();
        if (type == Codes.CPING && packet.isAtEnd()) {
            return answerPing();
        }
        if (type != Codes.FORWARD_REQUEST) {
            throw new BadPacketException(Defect.TYPE);
        }
        ForwardRequest sent = ForwardRequest.read(packet, protocol.options());
        RequestCheck check = new RequestCheck(protocol.options(), protocol.scheme());
        Refusal refusal = check.check(sent, connection.info());
        long length = sent.fields().contentLength();
        AjpBody body = new AjpBody(input, protocol.options().packetSize(), length);
        return refusal == null
                ? dispatch(new AjpStream(this, check.head(), check.info(), body))
                : refuse(refusal, sent, body);
    }

    /** Whoever drains answers no more: the front end asks another server. */
    private boolean answerPing() throws BadPacketException {
        if (draining) {
            return close();
        }
        if (!outbox.interject(ServerPackets.cpong())) {
            throw new BadPacketException(Defect.PING_FLOOD);
        }
        return true;
    }

    private boolean dispatch(AjpStream next) {
        used = true;
        stream = next;
        waitFor(protocol.options().connectionTimeout());
        if (fire(Event.REQUEST) != ConnectionState.SERVING) {
            return false;
        }
        dispatcher.dispatch(next.request(), next);
        return next.dispatched() && fire(Event.END) == ConnectionState.READING;
    }

    /** Reads the body packet that the front end has sent, or was asked for, and nobody read. */
    private boolean finishExchange(AjpStream last) throws IOException {
        if (!last.isReusable()) {
            return close();
        }
        if (!last.body().swallow()) {
            return awaitRestOfBody();
        }
        stream = null;
        return true;
    }

    private boolean refuse(Refusal why, ForwardRequest sent, AjpBody body) {
        protocol.log().refused(why, connection.info().remote());
        dispatcher.refused(new RefusedRequest(why.status(), why.found(), sent.line(), connection.info()));
        boolean reuse = !why.isClosing() && !draining;
        outbox.send(
                new Piece(ServerPackets.refusal(why), Payload.NOTHING, ServerPackets.end(reuse), Completion.IGNORE));
        refused = body;
        return reuse || close();
    }

    private boolean finishRefusal(AjpBody body) throws IOException {
        if (!body.swallow()) {
            return awaitRestOfBody();
        }
        refused = null;
        return true;
    }

    /** Nobody wants it; it only stands before the next request. */
    private boolean awaitRestOfBody() {
        return draining ? close() : await(Event.PART_OF_BODY, protocol.packetTimeout());
    }

    private boolean awaitPacket() {
        AjpOptions options = protocol.options();
        if (packets.isBegun()) {
            Duration left = packets.timeLeft(draining ? DRAIN_LIMIT : protocol.packetTimeout());
            if (left.isNegative() || left.isZero()) {
                malformed(new BadPacketException(Defect.TOO_SLOW));
                return false;
            }
            return await(Event.PART_OF_PACKET, left);
        }
        if (draining) {
            return close();
        }
        return await(Event.NOTHING, used ? options.keepAliveTimeout() : options.connectionTimeout());
    }

    /** Gives the connection to the transport until there is more to read. */
    private boolean await(Event what, Duration limit) {
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

    /** The one line about a packet that is none, and the end of its connection. */
    void malformed(BadPacketException bad) {
        protocol.log().malformed(bad.defect(), connection.info().remote());
        connection.close(bad);
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
        boolean clean = refused == null
                && !packets.isBegun()
                && !input.hasUnread()
                && (stream == null || !stream.body().isComing());
        if (failure != null || input.isEnded() || clean && Lingering.isNothingThere(input)) {
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
        if (mine == null || mine.isOver()) {
            connection.close(null);
        } else {
            awaitInput();
        }
    }

    // ---- what the exchange asks for, by its stream

    AjpProtocol protocol() {
        return protocol;
    }

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

    /** May another request follow? */
    boolean mayKeep() {
        return !draining;
    }

    /** Where a long response lets others go first. */
    Turns turns() {
        return dispatcher.turns();
    }

    /** Gives the connection to the transport until there is more of the body. */
    void awaitBody(AjpStream asking) {
        waitFor(
                asking.body().isArriving()
                        ? protocol.packetTimeout()
                        : protocol.options().connectionTimeout());
        if (fire(Event.AWAIT_BODY) != ConnectionState.BODY) {
            asking.bodyReadable(new IOException("the connection is closed"));
        } else if (lookout.await()) {
            proceed();
        }
    }

    /** The exchange waits for something else: sees to it that the front end's departure is noticed. */
    void watch() {
        if (state == ConnectionState.SERVING) {
            lookout.watch();
        }
    }

    /** The exchange is over, and its dispatching call has returned or is on another thread. */
    void continueAfter() {
        if (fire(Event.END) == ConnectionState.READING) {
            outbox.afterwards(this::run);
        }
    }

    // ----

    private AjpStream stream() {
        if (stream == null) {
            throw new IllegalStateException("no exchange in state " + state);
        }
        return stream;
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
