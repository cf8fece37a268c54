package io.millrace.websocket;

import io.millrace.exchange.BodySource;
import io.millrace.exchange.ExchangeChannel;
import io.millrace.exchange.RequestId;
import io.millrace.io.Chunk;
import io.millrace.io.Timers;
import io.millrace.log.CoreLog;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads one connection: queues messages for the listener, answers pings, and stops while too many messages are pending.
 *
 * <p><b>Threads.</b> One thread reads at a time: the connection's, and after a {@linkplain MessageStrand#stall stall}
 * the one that calls the listener. The last reader to leave after {@link #stop} releases the remaining input.
 */
final class SessionReader implements MessageSink {

    /** The number of chunks read in a row before the thread serves its other connections. */
    private static final int FAIR = 16;

    private final WebSocketSession session;
    private final WebSocketFrameReader frames;
    private final MessageAssembly assembly;
    private @Nullable ControlBudget budget;

    /** Bytes that were read but not parsed yet. Confined to the reader. */
    private @Nullable Chunk unparsed;

    /** Whether the peer has closed or ended the connection: nothing more is read. Confined to the reader. */
    private boolean closed;

    /** The thread that is reading; null if there is none. */
    private volatile @Nullable Thread thread;

    // guarded by this
    private int readers;
    private boolean stopped;

    SessionReader(WebSocketSession session, WebSocketRole role, @Nullable DeflateParameters deflate) {
        this.session = session;
        frames = new WebSocketFrameReader(role, deflate != null);
        assembly = new MessageAssembly(
                this, deflate == null ? null : new MessageInflater(deflate.receivesWithTakeover(role)));
    }

    /** Whether the current thread is the reader. */
    @SuppressWarnings("ReferenceEquality") // this very thread
    boolean isOnThread() {
        return thread == Thread.currentThread();
    }

    /** Runs a task on the connection's thread, which counts as the reader meanwhile. */
    void onThread(Runnable task) {
        thread = Thread.currentThread();
        try {
            task.run();
        } finally {
            thread = null;
        }
    }

    /** Reads and parses. Called after onOpen, when input is available, and when the listener has caught up. */
    void run() {
        synchronized (this) {
            if (stopped) {
                return;
            }
            readers++;
        }
        try {
            if (read()) {
                session.input().awaitReadable(this::run);
            }
        } catch (RuntimeException | Error unexpected) {
            session.abort(unexpected);
        }
    }

    /** Whether the reader must wait for input. */
    private boolean read() {
        thread = Thread.currentThread();
        try {
            return readChunks();
        } catch (WebSocketException fault) {
            session.calls().add(Delivery.Kind.FAULT, fault); // behind the messages received before it
            return false;
        } catch (IOException broken) {
            session.lost(broken);
            return false;
        } finally {
            leave();
        }
    }

    private void leave() {
        boolean last;
        synchronized (this) {
            readers--;
            thread = null;
            last = stopped && readers == 0;
        }
        if (last) {
            dropInput();
        }
    }

    /** Stops reading. Thread-safe; called once. */
    void stop() {
        boolean drop;
        synchronized (this) {
            drop = !stopped && readers == 0;
            stopped = true;
        }
        if (drop) {
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

    /** Whether the reader must wait for input. */
    private boolean readChunks() throws IOException {
        BodySource input = session.input();
        MessageStrand strand = session.calls().strand();
        int chunks = 0;
        while (chunks < FAIR && !closed) {
            if (strand.isFull()) {
                shrinkUnparsed();
                if (strand.stall()) {
                    return false;
                }
            }
            Chunk chunk = unparsed;
            if (chunk == null) {
                chunk = input.read();
                if (chunk == null) {
                    return true;
                }
                if (chunk.isEnd()) {
                    closed = true;
                    session.closing()
                            .endArrived(new EOFException("the peer ended the connection without a close frame"));
                    return false;
                }
                unparsed = chunk;
                session.inputReceived();
            }
            boolean frame = frames.read(chunk.bytes(), assembly);
            if (!chunk.bytes().hasRemaining()) {
                unparsed = null;
                chunk.release();
                chunks++;
            }
            if (frame && (closed || !session.isReading())) {
                return false;
            }
        }
        return !closed;
    }

    /** Copies the unparsed rest: the listener may take long, and a pooled buffer must not be held meanwhile. */
    private void shrinkUnparsed() {
        Chunk chunk = unparsed;
        if (chunk != null) {
            ByteBuffer rest = ByteBuffer.allocate(chunk.bytes().remaining());
            rest.put(chunk.bytes()).flip();
            unparsed = Chunk.wrap(rest);
            chunk.release();
        }
    }

    @Override
    public boolean takesParts(boolean text) {
        return session.calls().takesParts(text);
    }

    @Override
    public void text(String message, boolean whole, boolean last) {
        Delivery.Kind kind = whole ? Delivery.Kind.TEXT : Delivery.Kind.TEXT_PART;
        if (last) {
            session.messageReceived();
        }
        session.calls().strand().add(new Delivery(kind, message, last, message.length()));
    }

    @Override
    public void binary(ByteBuffer message, boolean whole, boolean last) {
        Delivery.Kind kind = whole ? Delivery.Kind.BINARY : Delivery.Kind.BINARY_PART;
        if (last) {
            session.messageReceived();
        }
        session.calls().strand().add(new Delivery(kind, message, last, message.remaining()));
    }

    @Override
    public void pinged(ByteBuffer payload) throws WebSocketException {
        countControl();
        session.sender().answer(payload);
    }

    @Override
    public void ponged(ByteBuffer payload) throws WebSocketException {
        countControl();
        session.calls().strand().add(new Delivery(Delivery.Kind.PONG, payload, true, payload.remaining()));
    }

    private void countControl() throws WebSocketException {
        ControlBudget counting = budget;
        if (counting == null) {
            counting = new ControlBudget();
            budget = counting;
        }
        counting.count(options().get(WebSocketOptions.MAX_CONTROL_FRAMES));
    }

    @Override
    public void closeReceived(CloseStatus status) {
        closed = true;
        session.closing().arrived(status);
    }

    @Override
    public WebSocketOptions options() {
        return session.options();
    }

    /** Limits the rate of a peer's control frames, each of which costs us more than the peer. Confined to the reader. */
    private static final class ControlBudget {

        private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

        private long since = System.nanoTime();
        private int count;

        void count(int most) throws WebSocketException {
            long now = System.nanoTime();
            if (now - since > SECOND) {
                since = now;
                count = 0;
            }
            count++;
            if (count > most) {
                throw new WebSocketException(
                        CloseStatus.POLICY,
                        "more than " + most + " pings and pongs arrived within a second; the option is "
                                + WebSocketOptions.MAX_CONTROL_FRAMES.name());
            }
        }
    }

    /**
     * Calls one connection's listener. An exception of the listener is logged, passed to onError, and closes the connection with
     * 1011.
     */
    static final class ListenerCalls implements MessageStrand.Owner {

        private final WebSocketSession session;
        private final WebSocketListener listener;
        private final MessageStrand strand = new MessageStrand(this);
        /** Set by the thread that makes the calls, one at a time. */
        private volatile boolean over;

        ListenerCalls(WebSocketSession session, WebSocketListener listener) {
            this.session = session;
            this.listener = listener;
        }

        MessageStrand strand() {
            return strand;
        }

        /** Queues a call other than for a message. Thread-safe. */
        void add(Delivery.Kind kind, Object value) {
            strand.add(new Delivery(kind, value, true, 0));
        }

        /** Whether the message that begins now is to be delivered in parts. */
        boolean takesParts(boolean text) {
            return listener.takesParts(session, text);
        }

        /** False on the timer thread, for example, unless the listener never blocks. */
        @Override
        public boolean callsInPlace() {
            return listener instanceof NonBlockingWebSocketListener
                    || session.writesBlock() && session.reader().isOnThread();
        }

        @Override
        public void handOver(Runnable task) {
            session.handOverToShare(task);
        }

        @Override
        public void handOverOrRunOnLoop(ExchangeChannel.LoopTask task) {
            session.handOverToShare(listener.prediction(), task);
        }

        @Override
        public Timers.Timer after(long nanos, Runnable task) {
            return session.after(nanos, task);
        }

        @Override
        public void abort(Throwable cause) {
            session.abort(cause);
        }

        @Override
        public void resumeReading() {
            session.reader().run();
        }

        /** Whether the connection has ended for the listener as soon as this end closes it. */
        boolean endsAtOnce() {
            return listener.endsAtOnce();
        }

        /** Nothing is delivered after onClose, although the peer's last messages may still arrive. */
        @Override
        public void call(Delivery due) {
            if (over && due.kind != Delivery.Kind.FAULT) {
                return;
            }
            over |= due.kind == Delivery.Kind.CLOSE || due.kind == Delivery.Kind.CLOSED_BY_PEER;
            Thread thread = Thread.currentThread();
            ClassLoader loader = thread.getContextClassLoader();
            boolean inPlace = callsInPlace();
            RequestId before = RequestId.enter(session.requestId());
            try {
                make(due);
            } catch (Throwable thrown) {
                listenerThrew(due.kind, thrown);
            } finally {
                RequestId.enter(before);
                if (!inPlace) {
                    Thread.interrupted(); // the listener must not affect later tasks of the worker
                    thread.setContextClassLoader(loader);
                }
            }
            if (due.kind == Delivery.Kind.OPEN) {
                session.reader().run();
            }
        }

        private void make(Delivery due) throws Exception {
            switch (due.kind) {
                case OPEN -> listener.onOpen(session);
                case TEXT -> listener.onText(session, (String) due.value);
                case TEXT_PART -> listener.onTextPart(session, (String) due.value, due.last);
                case BINARY -> listener.onBinary(session, (ByteBuffer) due.value);
                case BINARY_PART -> listener.onBinaryPart(session, (ByteBuffer) due.value, due.last);
                case PONG -> listener.onPong(session, (ByteBuffer) due.value);
                case FAULT -> session.fail((WebSocketException) due.value);
                case PEER_CLOSE -> session.closing().received((CloseStatus) due.value);
                case PEER_END -> session.closing().ended((IOException) due.value);
                case ERROR -> listener.onError(session, (Throwable) due.value);
                case CLOSE, CLOSED_BY_PEER -> listener.onClose(session, (CloseStatus) due.value);
            }
        }

        /** The connection is closed even if logging or onError fails. */
        private void listenerThrew(Delivery.Kind kind, Throwable thrown) {
            try {
                log(kind, thrown);
                if (kind.mayFail()) {
                    listener.onError(session, thrown);
                }
            } catch (Throwable again) {
                log(Delivery.Kind.ERROR, again);
            } finally {
                session.close(new CloseStatus(CloseStatus.INTERNAL_ERROR, ""));
            }
        }

        private void log(Delivery.Kind kind, Throwable thrown) {
            CoreLog.WEBSOCKET.webSocketListenerFailed(
                    session.printablePath(), kind.method, listener.getClass().getName(), thrown);
        }
    }
}
