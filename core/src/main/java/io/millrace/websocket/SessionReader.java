package io.millrace.websocket;

import io.millrace.exchange.BodySource;
import io.millrace.io.Chunk;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one connection: hands messages to the listener's calls, answers pings, and stops while the listener has enough to do.
 *
 * <p><b>Threads.</b> Reading belongs to one thread at a time: the connection's, and after a {@linkplain MessageStrand#stall stall}
 * the one that makes the listener's calls. Whoever was last releases what is left.
 */
final class SessionReader implements MessageSink {

    /** Chunks read in a row before other connections of the thread have their turn. */
    private static final int FAIR = 16;

    private final WebSocketSession session;
    private final FrameReader frames;
    private final MessageAssembly assembly;
    private @Nullable ControlBudget budget;

    /** Bytes that were read and not parsed yet. Of the reader. */
    private @Nullable Chunk unparsed;

    /** Reads just now; null if nobody does. */
    private volatile @Nullable Thread thread;

    // guarded by this
    private int readers;
    private boolean stopped;

    SessionReader(WebSocketSession session, WebSocketRole role, @Nullable DeflateParameters deflate) {
        this.session = session;
        frames = new FrameReader(role, deflate != null);
        assembly = new MessageAssembly(
                this, deflate == null ? null : new MessageInflater(deflate.receivesWithTakeover(role)));
    }

    /** Is the current thread the one that reads? */
    @SuppressWarnings("ReferenceEquality") // this very thread
    boolean isOnThread() {
        return thread == Thread.currentThread();
    }

    /** The current thread is the connection's while the task runs, as if it read. */
    void onThread(Runnable task) {
        thread = Thread.currentThread();
        try {
            task.run();
        } finally {
            thread = null;
        }
    }

    /** By whom reading belongs to: after onOpen, when there is something to read, when the listener has caught up. */
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

    /** True if the input is to be awaited. */
    private boolean read() {
        thread = Thread.currentThread();
        try {
            return readChunks();
        } catch (WebSocketException fault) {
            session.calls().add(Delivery.Kind.FAULT, fault); // what came before it is answered first
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

    /** Nothing more is read. Any thread, once. */
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

    /** True if the input is to be awaited. */
    private boolean readChunks() throws IOException {
        BodySource input = session.input();
        MessageStrand strand = session.calls().strand();
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
                chunk = input.read();
                if (chunk == null) {
                    return true;
                }
                if (chunk.isEnd()) {
                    session.lost(new EOFException("the peer ended the connection without a close frame"));
                    session.complete();
                    return false;
                }
                unparsed = chunk;
                session.heard();
            }
            boolean frame = frames.read(chunk.bytes(), assembly);
            if (!chunk.bytes().hasRemaining()) {
                unparsed = null;
                chunk.release();
                chunks++;
            }
            if (frame && !session.isReading()) {
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

    // ---- what was read

    @Override
    public boolean takesParts(boolean text) {
        return session.calls().takesParts(text);
    }

    @Override
    public void text(String message, boolean whole, boolean last) {
        Delivery.Kind kind = whole ? Delivery.Kind.TEXT : Delivery.Kind.TEXT_PART;
        session.calls().strand().add(new Delivery(kind, message, last, message.length()));
    }

    @Override
    public void binary(ByteBuffer message, boolean whole, boolean last) {
        Delivery.Kind kind = whole ? Delivery.Kind.BINARY : Delivery.Kind.BINARY_PART;
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
        session.closing().received(status);
    }

    @Override
    public WebSocketOptions options() {
        return session.options();
    }
}
