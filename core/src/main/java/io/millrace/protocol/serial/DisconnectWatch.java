package io.millrace.protocol.serial;

import io.millrace.io.AtomicField;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Timers;
import io.millrace.protocol.serial.DisconnectWatchState.Event;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Watches for the disconnect of the peer while an exchange waits for something other than input, such as room for its
 * response; otherwise it would go unnoticed. {@link DisconnectWatchState} defines who owns the input. Input that arrives meanwhile, of the body or of
 * the next request, is buffered up to a limit, at which watching pauses until it has been read, so that a peer cannot
 * exhaust the memory.
 *
 * <p><b>A half-close is not a disconnect</b> unless the protocol's settings say so: a client that has sent its request
 * may end its output and still receive the response. A broken connection is a disconnect, and so is an end without the
 * close_notify by which TLS half-closes ({@link Chunk#TRUNCATED_END}).
 */
public final class DisconnectWatch {

    /**
     * Reading ahead stops at this many buffered bytes. Fewer are copied to a heap array of their size: the wait may be
     * long, and pooled buffers are large.
     */
    private static final int MAX_BUFFERED = 8 * 1024;

    /** Replaces the buffered input once the connection is closed. */
    private static final Chunk CLOSED = Chunk.wrap(ByteBuffer.allocate(0));

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", DisconnectWatchState.class);

    private static final VarHandle FOUND = AtomicField.of(MethodHandles.lookup(), "found", Chunk.class);

    private final Connection connection;
    private final boolean endIsDisconnect;
    private volatile DisconnectWatchState state = DisconnectWatchState.OFF;
    private volatile @Nullable Chunk found;

    /** The peer ended its output while it was watched. */
    private volatile boolean endSeen;

    /** Null until the connection drains. */
    private volatile @Nullable Timers drainTimers;

    // guarded by this
    private boolean closeScheduled;

    /**
     * The transport called while no reader was waiting, and little or no input was available. The reason may be that the
     * connection is draining, for which the next reader may have checked too early. Its wait therefore ends immediately,
     * so that it checks again.
     */
    private volatile boolean spuriousCall;

    /** The connection passes to another handler as soon as its owner has the input. */
    private volatile boolean leaving;

    /**
     * A watch that has not started.
     *
     * @param endIsDisconnect whether the connection is closed when the peer ends its output while it is watched
     */
    public DisconnectWatch(Connection connection, boolean endIsDisconnect) {
        this.connection = connection;
        this.endIsDisconnect = endIsDisconnect;
    }

    /** Whether the input belongs to the connection's owner. */
    public boolean isOff() {
        return state == DisconnectWatchState.OFF;
    }

    /** The transport is watching for input; no reader is waiting. */
    public boolean isWatching() {
        return state == DisconnectWatchState.WATCHING;
    }

    /**
     * Starts to watch, because the exchange waits for something else. Called by the exchange's owner; another thread may
     * be reading the body.
     */
    public void watch() {
        if (move(Event.WATCH) == DisconnectWatchState.OFF) {
            connection.awaitReadable();
        }
    }

    /** The next bytes. The caller guarantees that no other thread reads or starts to wait now. */
    @Nullable
    Chunk read() throws IOException {
        Chunk kept = take();
        if (kept != null) {
            return kept;
        }
        return isOff() ? connection.read() : readShared();
    }

    /** The next bytes of the body: {@link #watch} may be called by another thread at the same time. */
    @Nullable
    Chunk readShared() throws IOException {
        if (move(Event.READ) == null) {
            return take();
        }
        try {
            Chunk kept = take();
            return kept == null ? connection.read() : kept;
        } finally {
            move(Event.DONE);
        }
    }

    /** A reader starts to wait, and will be called. True if the caller must call it immediately. */
    public boolean await() {
        DisconnectWatchState from = startWaiting();
        return from == DisconnectWatchState.FOUND
                || from == DisconnectWatchState.WATCHING
                        && isWaitOver()
                        && move(Event.CANCEL) == DisconnectWatchState.AWAITED;
    }

    /**
     * The connection's owner takes the input back from the transport, whatever has been buffered: the next handler of the
     * connection waits anew. True if the caller has it, and must proceed; otherwise the thread that is in a call of the transport
     * has it, and does.
     */
    boolean takeBack() {
        DisconnectWatchState from = startWaiting();
        leaving = true; // after that: whoever sees it knows that the owner waits
        return from == DisconnectWatchState.FOUND || isWaitTaken();
    }

    /** Ends the transport's wait. True if it was the watch's, and the caller has the input. */
    private boolean isWaitTaken() {
        if (!connection.takeBack()) {
            return false; // nobody waits, or the transport calls
        }
        if (move(Event.CALL) == DisconnectWatchState.AWAITED) {
            return true;
        }
        connection.awaitReadable(); // the wait of the next handler, which has the connection already
        return false;
    }

    private @Nullable DisconnectWatchState startWaiting() {
        while (state == DisconnectWatchState.READING) {
            Thread.onSpinWait(); // a thread still reads after the end of its exchange; reading never blocks
        }
        DisconnectWatchState from = move(Event.AWAIT);
        if (from == DisconnectWatchState.OFF) {
            connection.awaitReadable();
        }
        return from;
    }

    /** Called by the transport. True if a reader is waiting for the call; otherwise it was only for the watch. */
    public boolean isCallAwaited() {
        return isOff() || move(Event.CALL) != DisconnectWatchState.WATCHING || prefetch();
    }

    /** The buffered input; null if there is none. Called by the owner of the input. */
    @Nullable
    Chunk take() {
        Chunk kept = found;
        boolean taken = kept != null && !isClosedMark(kept) && FOUND.compareAndSet(this, kept, (Chunk) null);
        return taken ? kept : null;
    }

    /**
     * Called when the server stops: a peer that has ended its output while an exchange waits for something else has most
     * likely disconnected, and gets a short time for its response instead of the grace period. Thread-safe; may be called
     * more than once.
     */
    public void drain(Timers timers) {
        drainTimers = timers;
        scheduleClose();
    }

    private void scheduleClose() {
        Timers timers = drainTimers;
        if (endSeen && timers != null && isFirstSchedule()) {
            IOException why = new IOException("the client ended its output, and the server is stopping");
            timers.schedule(() -> connection.close(why), ConnectionHandler.DRAIN_LIMIT);
        }
    }

    private synchronized boolean isFirstSchedule() {
        boolean first = !closeScheduled;
        closeScheduled = true;
        return first;
    }

    /** Called when the connection is closed, by any thread. */
    void close() {
        Chunk kept = (Chunk) FOUND.getAndSet(this, CLOSED);
        if (kept != null && !isClosedMark(kept)) {
            kept.release();
        }
    }

    /** Called on the transport's thread. True if a reader started to wait meanwhile. */
    private boolean prefetch() {
        Event what = isEnough() ? Event.ENOUGH : Event.AGAIN;
        spuriousCall = true;
        boolean awaited = move(what) == DisconnectWatchState.EXPECTED;
        if (awaited || what == Event.ENOUGH) {
            return awaited;
        }
        connection.awaitReadable();
        return leaving && isWaitTaken(); // the owner may have tried to take it back before there was a wait
    }

    private boolean isEnough() {
        try {
            Chunk chunk = connection.read();
            if (chunk == null) {
                return false;
            }
            if (!chunk.isEnd()) {
                return keep(chunk);
            }
            endSeen = true;
            connection.limitWrites(ConnectionHandler.HALF_CLOSED_LIMIT);
            scheduleClose();
            if (endIsDisconnect || Chunk.isTruncatedEnd(chunk)) {
                connection.close(new IOException("the client ended its output before it received the response"));
            }
            return true;
        } catch (IOException broken) {
            return true; // the handler is notified; a reader gets the same exception
        }
    }

    /** Appends to the buffered input. If a reader takes that at the same time, it has received the earlier bytes first. */
    private boolean keep(Chunk chunk) {
        Chunk before = take();
        Chunk all = before == null && chunk.bytes().remaining() >= MAX_BUFFERED ? chunk : Input.joined(before, chunk);
        int size = all.bytes().remaining();
        if (!FOUND.compareAndSet(this, (Chunk) null, all)) {
            all.release(); // closed
        }
        return size >= MAX_BUFFERED;
    }

    private boolean isWaitOver() {
        boolean called = spuriousCall;
        spuriousCall = false;
        Chunk kept = found;
        return called || kept != null && !isClosedMark(kept);
    }

    @SuppressWarnings("ReferenceEquality") // there is one mark
    private static boolean isClosedMark(Chunk chunk) {
        return chunk == CLOSED;
    }

    /** Returns the previous state; null if the event was rejected. */
    private @Nullable DisconnectWatchState move(Event event) {
        while (true) {
            DisconnectWatchState from = state;
            DisconnectWatchState to = DisconnectWatchState.next(from, event);
            if (to == null || STATE.compareAndSet(this, from, to)) {
                return to == null ? null : from;
            }
        }
    }
}
