package io.millrace.websocket;

import io.millrace.exchange.Attributes;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Suspension;
import io.millrace.exchange.TunnelHandler;
import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Delays;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket connection over an exchange's tunnel, of a server or a client: reads, closes, and joins the parts that do the rest.
 * {@link CloseState} says how far the closing handshake is.
 *
 * <p><b>Threads.</b> Reading belongs to one thread at a time: the connection's, and after a {@linkplain MessageStrand#stall stall}
 * the one that makes the listener's calls. The exchange is suspended all the time; its end is this one's.
 */
final class WebSocketSession implements WebSocketConnection, TunnelHandler, MessageSink {

    /** Chunks read in a row before other connections of the thread have their turn. */
    private static final int FAIR = 16;

    private final WebSocketInfo info;
    private final WebSocketListener listener;
    private final @Nullable DeflateParameters deflate;
    private final FrameReader reader;
    private final MessageAssembly assembly;
    private final FrameWriter writer;
    private final MessageStrand strand = new MessageStrand(this);
    private volatile WebSocketOptions options;
    private volatile @Nullable SessionClock clock;
    private @Nullable ControlBudget budget;

    /** Set when the tunnel is open. */
    private volatile @Nullable HttpExchange exchange;

    private volatile boolean draining;
    private volatile boolean neverBlocks;
    private volatile boolean writesBlock;

    /** Reads just now; null if nobody does. */
    private volatile @Nullable Thread readsOn;

    /** Bytes that were read and not parsed yet. Of the reader. */
    private @Nullable Chunk unparsed;

    // guarded by this
    private CloseState state = CloseState.OPEN;
    private @Nullable CloseStatus status;
    private boolean closeWritten;
    private boolean closeTold;
    private boolean ended;
    private int readers;
    private @Nullable Suspension suspension;
    private Timers.@Nullable Timer closeTimer;

    WebSocketSession(
            WebSocketInfo info,
            @Nullable DeflateParameters deflate,
            WebSocketListener listener,
            WebSocketOptions options) {
        this.info = info;
        this.deflate = deflate;
        this.listener = listener;
        this.options = options;
        reader = new FrameReader(info.role(), deflate != null);
        MessageInflater inflater =
                deflate == null ? null : new MessageInflater(deflate.receivesWithTakeover(info.role()));
        assembly = new MessageAssembly(this, inflater);
        writer = new FrameWriter(this, deflate != null && deflate.sendsWithTakeover(info.role()));
    }

    // ---- the tunnel

    @Override
    public void handle(HttpExchange tunnel) {
        writesBlock = tunnel.channel().connection().mayBlock();
        neverBlocks = listener instanceof NonBlockingWebSocketListener;
        readsOn = Thread.currentThread();
        exchange = tunnel;
        tunnel.onEnd(outcome -> exchangeEnded(outcome.failure()));
        Suspension held = tunnel.suspend(Duration.ZERO, expired -> {});
        synchronized (this) {
            suspension = held;
        }
        startClock(options);
        strand.add(new Delivery(Delivery.Kind.OPEN, "", true, 0));
        readsOn = null;
        if (draining) {
            goAway();
        }
    }

    /** Not all connections of a server at once: their peers come back, elsewhere. */
    @Override
    public void drain() {
        draining = true;
        if (exchange != null) {
            GoingAway.spread(exchange().channel().timers(), this::goAway);
        }
    }

    private void goAway() {
        close(CloseStatus.GOING_AWAY);
    }

    private HttpExchange exchange() {
        return Objects.requireNonNull(exchange, "the tunnel is not open yet");
    }

    /** May this thread make the listener's calls? A timer's, for example, only those that do not block. */
    @SuppressWarnings("ReferenceEquality") // this very thread
    boolean callsInPlace() {
        return neverBlocks || writesBlock && readsOn == Thread.currentThread();
    }

    /** Does a write wait for the peer, on the thread that makes it? */
    boolean writesBlock() {
        return writesBlock;
    }

    Executor workers() {
        return exchange().channel().workers();
    }

    /** Runs a task later; it must not block. */
    Timers.Timer after(long nanos, Runnable task) {
        return exchange().channel().timers().scheduleNanos(task, nanos);
    }

    void write(Payload payload, Completion completion) {
        exchange().output().write(payload, false, completion);
    }

    private void exchangeEnded(@Nullable Throwable failure) {
        lost(failure != null ? failure : new IOException("the connection was closed"));
    }

    // ---- reading

    /** By whom reading belongs to: after onOpen, when there is something to read, when the listener has caught up. */
    void readLoop() {
        synchronized (this) {
            if (ended) {
                return;
            }
            readers++;
            readsOn = Thread.currentThread();
        }
        boolean await = false;
        try {
            await = read();
        } catch (WebSocketException fault) {
            strand.add(new Delivery(Delivery.Kind.FAULT, fault, true, 0)); // what came before it is answered first
        } catch (IOException broken) {
            lost(broken);
        } catch (RuntimeException | Error unexpected) {
            abort(unexpected);
        } finally {
            leave();
        }
        if (await) {
            exchange().input().awaitReadable(this::readLoop);
        }
    }

    private void leave() {
        boolean last;
        synchronized (this) {
            readers--;
            readsOn = null;
            last = ended && readers == 0;
        }
        if (last) {
            dropInput();
        }
    }

    private void dropInput() {
        assembly.close();
        Chunk left = unparsed;
        unparsed = null;
        if (left != null) {
            left.release();
        }
    }

    /** True if the input is to be awaited. */
    private boolean read() throws IOException {
        int chunks = 0;
        while (chunks < FAIR) {
            if (strand.isFull()) {
                shrinkUnparsed();
                if (strand.stall()) {
                    return false;
                }
            }
            Chunk chunk = unparsed;
            if (chunk == null) {
                chunk = exchange().input().read();
                if (chunk == null) {
                    return true;
                }
                if (chunk.isEnd()) {
                    endOfInput();
                    return false;
                }
                unparsed = chunk;
                heard();
            }
            boolean frame = reader.read(chunk.bytes(), assembly);
            if (!chunk.bytes().hasRemaining()) {
                unparsed = null;
                chunk.release();
                chunks++;
            }
            if (frame && !isReading()) {
                return false;
            }
        }
        return true;
    }

    /** The listener may take its time: a pooled buffer is not to be kept that long. */
    private void shrinkUnparsed() {
        Chunk chunk = unparsed;
        if (chunk != null) {
            ByteBuffer rest = ByteBuffer.allocate(chunk.bytes().remaining());
            rest.put(chunk.bytes()).flip();
            unparsed = Chunk.wrap(rest);
            chunk.release();
        }
    }

    private void heard() {
        SessionClock running = clock;
        if (running != null) {
            running.received();
        }
    }

    private synchronized boolean isReading() {
        return !ended && (state == CloseState.OPEN || state == CloseState.CLOSE_SENT);
    }

    private void endOfInput() {
        lost(new EOFException("the peer ended the connection without a close frame"));
        complete();
    }

    @Override
    public boolean takesParts(boolean text) {
        return listener.takesParts(this, text);
    }

    @Override
    public void text(String message, boolean whole, boolean last) {
        strand.add(new Delivery(whole ? Delivery.Kind.TEXT : Delivery.Kind.TEXT_PART, message, last, message.length()));
    }

    @Override
    public void binary(ByteBuffer message, boolean whole, boolean last) {
        strand.add(new Delivery(
                whole ? Delivery.Kind.BINARY : Delivery.Kind.BINARY_PART, message, last, message.remaining()));
    }

    @Override
    public void pinged(ByteBuffer payload) throws WebSocketException {
        countControl();
        writer.answer(Outgoing.uncounted(Completion.IGNORE, control(Opcode.PONG, payload)));
        pump();
    }

    @Override
    public void ponged(ByteBuffer payload) throws WebSocketException {
        countControl();
        strand.add(new Delivery(Delivery.Kind.PONG, payload, true, payload.remaining()));
    }

    private void countControl() throws WebSocketException {
        ControlBudget counting = budget;
        if (counting == null) {
            counting = new ControlBudget();
            budget = counting;
        }
        counting.count(options.maxControlFrames());
    }

    // ---- the listener

    /** Makes one call. By the strand. */
    void call(Delivery due) {
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        boolean inPlace = callsInPlace();
        try {
            make(due);
        } catch (Throwable thrown) {
            listenerThrew(due.kind, thrown);
        } finally {
            if (!inPlace) {
                Thread.interrupted(); // what a listener does to its thread stays within its call
                thread.setContextClassLoader(loader);
            }
        }
        if (due.kind == Delivery.Kind.OPEN) {
            readLoop();
        }
    }

    private void make(Delivery due) throws Exception {
        switch (due.kind) {
            case OPEN -> listener.onOpen(this);
            case TEXT -> listener.onText(this, (String) due.value);
            case TEXT_PART -> listener.onTextPart(this, (String) due.value, due.last);
            case BINARY -> listener.onBinary(this, (ByteBuffer) due.value);
            case BINARY_PART -> listener.onBinaryPart(this, (ByteBuffer) due.value, due.last);
            case PONG -> listener.onPong(this, (ByteBuffer) due.value);
            case FAULT -> fail((WebSocketException) due.value);
            case ERROR -> listener.onError(this, (Throwable) due.value);
            case CLOSE -> listener.onClose(this, (CloseStatus) due.value);
        }
    }

    private void listenerThrew(Delivery.Kind kind, Throwable thrown) {
        String type = listener.getClass().getName();
        WebSocketMessages.LOG.listenerFailed(path(), kind.method, type, thrown);
        if (kind == Delivery.Kind.ERROR || kind == Delivery.Kind.CLOSE) {
            return;
        }
        try {
            listener.onError(this, thrown);
        } catch (Throwable again) {
            WebSocketMessages.LOG.listenerFailed(path(), Delivery.Kind.ERROR.method, type, again);
        }
        close(new CloseStatus(CloseStatus.INTERNAL_ERROR, ""));
    }

    void completionFailed(Throwable thrown) {
        WebSocketMessages.LOG.completionFailed(path(), thrown);
    }

    private String path() {
        return PeerFaults.printable(request().path().raw());
    }

    // ---- the end

    @Override
    public void close(CloseStatus why) {
        if (!CloseStatus.isSendable(why.code())) {
            throw new IllegalArgumentException("the close code " + why.code()
                    + " is for what happened, not to be sent; expected 1000, for example (RFC 6455, 7.4)");
        }
        synchronized (this) {
            if (state != CloseState.OPEN) {
                return;
            }
            state = CloseState.next(state, CloseState.Event.SEND);
            status = why.fitting();
        }
        sendClose(why.fitting());
    }

    @Override
    public void closeReceived(CloseStatus why) {
        CloseState from;
        synchronized (this) {
            from = state;
            state = CloseState.next(from, CloseState.Event.RECEIVE);
            if (from == CloseState.OPEN) {
                status = why;
                state = CloseState.next(state, CloseState.Event.SEND);
            }
        }
        if (from == CloseState.OPEN) {
            sendClose(why);
        }
        tellClose();
        finishIfDone();
    }

    /** What the peer did ends the connection (RFC 6455, 7.1.7): its answer to our close frame is not awaited. */
    private void fail(WebSocketException fault) {
        CloseState from;
        CloseStatus why = new CloseStatus(fault.code(), String.valueOf(fault.getMessage())).fitting();
        synchronized (this) {
            from = state;
            state = CloseState.next(from, CloseState.Event.END);
            if (from == CloseState.OPEN) {
                status = why;
            }
        }
        if (from == CloseState.CLOSED) {
            return;
        }
        PeerFaults.closed(connection().remote(), request().path().raw(), fault);
        if (from == CloseState.OPEN) {
            sendClose(why);
        }
        strand.add(new Delivery(Delivery.Kind.ERROR, fault, true, 0));
        tellClose();
        finishIfDone();
    }

    private void sendClose(CloseStatus why) {
        long timeout = Delays.nanos(options.closeTimeout());
        synchronized (this) {
            if (!ended) {
                closeTimer = after(timeout, this::closeTimedOut);
            }
        }
        byte[] reason = why.reason().getBytes(StandardCharsets.UTF_8);
        ByteBuffer payload = ByteBuffer.allocate(Short.BYTES + reason.length);
        if (why.code() != CloseStatus.NO_CODE.code()) {
            payload.putShort((short) why.code()).put(reason);
        }
        writer.addClose(Outgoing.uncounted(this::closeSent, control(Opcode.CLOSE, payload.flip())));
        pump();
    }

    private void closeSent(@Nullable Throwable failure) {
        synchronized (this) {
            closeWritten = true;
        }
        if (failure == null) {
            finishIfDone();
        }
    }

    private void closeTimedOut() {
        abort(new IOException(
                "the closing handshake took longer than " + options.closeTimeout() + "; the option is closeTimeout"));
    }

    private void finishIfDone() {
        synchronized (this) {
            if (ended || state != CloseState.CLOSED || !closeWritten) {
                return;
            }
        }
        end(new IOException("the WebSocket is closed"));
        complete();
    }

    /** Ends the exchange: what was written is sent, then our end. */
    private void complete() {
        Suspension held;
        synchronized (this) {
            held = suspension;
        }
        if (held != null) {
            held.complete();
        }
    }

    @Override
    public void abort(Throwable cause) {
        lost(cause);
        HttpExchange open = exchange;
        if (open != null) {
            open.abort(cause);
        }
    }

    /** The connection is of no use any more. Any thread, more than once. */
    void lost(Throwable cause) {
        CloseState from = end(cause);
        if (from == CloseState.OPEN) {
            strand.add(new Delivery(Delivery.Kind.ERROR, cause, true, 0));
        }
        if (from != null) {
            tellClose();
        }
    }

    /** The state before; null if it had ended. */
    private @Nullable CloseState end(Throwable cause) {
        CloseState from;
        boolean drop;
        Timers.Timer running;
        synchronized (this) {
            if (ended) {
                return null;
            }
            ended = true;
            from = state;
            state = CloseState.next(from, CloseState.Event.END);
            if (status == null) {
                status = CloseStatus.ABNORMAL;
            }
            drop = readers == 0;
            running = closeTimer;
            closeTimer = null;
        }
        if (running != null) {
            running.cancel();
        }
        stopClock();
        if (drop) {
            dropInput();
        }
        writer.fail(cause);
        return from;
    }

    private void tellClose() {
        CloseStatus told;
        synchronized (this) {
            if (closeTold) {
                return;
            }
            closeTold = true;
            told = status == null ? CloseStatus.ABNORMAL : status;
        }
        strand.add(new Delivery(Delivery.Kind.CLOSE, told, true, 0));
    }

    // ---- sending

    @Override
    public void sendText(String message, Completion completion) {
        send(Opcode.TEXT, ByteBuffer.wrap(message.getBytes(StandardCharsets.UTF_8)), true, completion);
    }

    @Override
    public void sendText(String message) {
        send(Opcode.TEXT, ByteBuffer.wrap(message.getBytes(StandardCharsets.UTF_8)), true, null);
    }

    @Override
    public void sendBinary(ByteBuffer message, Completion completion) {
        send(Opcode.BINARY, message, true, completion);
    }

    @Override
    public void sendBinary(ByteBuffer message) {
        send(Opcode.BINARY, message, false, null);
    }

    @Override
    public void send(PreparedMessage message, Completion completion) {
        sendPrepared(message, completion);
    }

    @Override
    public void send(PreparedMessage message) {
        sendPrepared(message, null);
    }

    private void sendPrepared(PreparedMessage message, @Nullable Completion completion) {
        boolean compress = isCompressed(message.size());
        if (info.role() == WebSocketRole.CLIENT || compress && writer.hasHistory()) {
            send(message.opcode(), message.payload(), true, completion);
            return;
        }
        ByteBuffer frame = compress ? message.compressed() : message.plain();
        post(Outgoing.encoded(told(completion), frame), completion);
    }

    private boolean isCompressed(int length) {
        return deflate != null && length >= options.deflateThreshold();
    }

    private static Completion told(@Nullable Completion completion) {
        return completion == null ? Completion.IGNORE : completion;
    }

    private void send(Opcode opcode, ByteBuffer message, boolean stable, @Nullable Completion completion) {
        Outgoing frame;
        if (!isCompressed(message.remaining())) {
            frame = encoded(opcode, false, message, stable, completion);
        } else if (writer.hasHistory()) {
            ByteBuffer kept = stable ? message.duplicate() : copy(message);
            frame = Outgoing.uncompressed(told(completion), FrameEncoder.flags(opcode, true, true), kept);
        } else {
            ByteBuffer smaller = MessageDeflater.compressAlone(message.duplicate());
            boolean useful = smaller.remaining() < message.remaining();
            frame = encoded(opcode, useful, useful ? smaller : message, useful || stable, completion);
        }
        post(frame, completion);
    }

    private Outgoing encoded(
            Opcode opcode, boolean compressed, ByteBuffer payload, boolean stable, @Nullable Completion completion) {
        int flags = FrameEncoder.flags(opcode, true, compressed);
        return Outgoing.encoded(told(completion), FrameEncoder.encode(info.role(), flags, payload, stable));
    }

    private static ByteBuffer copy(ByteBuffer from) {
        return ByteBuffer.allocate(from.remaining()).put(from.duplicate()).flip();
    }

    private void post(Outgoing message, @Nullable Completion completion) {
        Throwable refused = writer.add(message);
        if (refused == null) {
            pump();
        } else {
            refused(refused, completion);
        }
    }

    private void refused(Throwable why, @Nullable Completion completion) {
        if (completion != null) {
            completion.done(why);
        } else if (why instanceof SendBufferFullException) {
            close(new CloseStatus(CloseStatus.POLICY, "messages are not read fast enough"));
        }
    }

    /** Where a write may block, it is made on a thread that belongs to this connection, or to nobody. */
    void pump() {
        if (!writesBlock || strand.isRunner()) {
            writer.pump();
            return;
        }
        try {
            workers().execute(writer::pump);
        } catch (RejectedExecutionException | Error none) {
            abort(none);
        }
    }

    @Override
    public MessageOutput startMessage(boolean text) {
        return new PartialMessage(this, writer, text, deflate != null);
    }

    @Override
    public void ping(ByteBuffer payload, Completion completion) {
        sendControl(Opcode.PING, payload, completion);
    }

    @Override
    public void pong(ByteBuffer payload, Completion completion) {
        sendControl(Opcode.PONG, payload, completion);
    }

    private void sendControl(Opcode opcode, ByteBuffer payload, Completion completion) {
        Throwable refused = writer.addControl(Outgoing.encoded(completion, control(opcode, payload)));
        if (refused == null) {
            pump();
        } else {
            completion.done(refused);
        }
    }

    private ByteBuffer[] control(Opcode opcode, ByteBuffer payload) {
        if (payload.remaining() > FrameReader.MAX_CONTROL) {
            throw new IllegalArgumentException("the payload of a control frame has " + payload.remaining()
                    + " octets; expected at most 125 (RFC 6455, 5.5)");
        }
        return FrameEncoder.encode(info.role(), FrameEncoder.flags(opcode, true, false), payload, false);
    }

    @Override
    public void cork() {
        writer.cork();
    }

    @Override
    public void flush() {
        writer.uncork();
        pump();
    }

    @Override
    public void pause() {
        strand.pause();
    }

    @Override
    public void resume() {
        strand.resume();
    }

    @Override
    public synchronized boolean isOpen() {
        return !ended && state == CloseState.OPEN;
    }

    @Override
    public long unsent() {
        return writer.unsent();
    }

    @Override
    public boolean awaitRoom(Duration timeout) throws InterruptedException {
        return writer.awaitRoom(Delays.nanos(timeout));
    }

    // ---- what is known

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

    private void startClock(WebSocketOptions current) {
        synchronized (this) {
            boolean needed =
                    !current.idleTimeout().isZero() || !current.pingInterval().isZero();
            SessionClock running = clock;
            if (ended || exchange == null || !needed && running == null) {
                return;
            }
            if (running == null) {
                running = new SessionClock(this);
                clock = running;
            }
            running.restart();
        }
    }

    private void stopClock() {
        SessionClock running = clock;
        if (running != null) {
            running.stop();
        }
    }

    /** A write has ended: what is sent counts as much as what comes. */
    void written() {
        SessionClock running = clock;
        if (running != null) {
            running.sent();
        }
    }
}
