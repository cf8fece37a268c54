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
 * Looks out for the peer while an exchange waits for something else than input: without it a client that leaves would be
 * noticed by nobody. {@link DisconnectWatchState} tells whose the input is. What comes in meanwhile, of the body or of the next
 * request, is kept; when that is enough watching pauses until it was used, so that a peer can't fill our memory.
 *
 * <p><b>The end of the peer's output is no departure</b> unless the protocol's options say so: who has sent his request may
 * end his output and still take the response. A broken connection is.
 */
public final class DisconnectWatch {

    /** So many bytes are enough. Fewer are kept as a copy of their own size: the wait may be long, pooled buffers are large. */
    private static final int ENOUGH = 8 * 1024;

    /** In the place of what was found once the connection is closed. */
    private static final Chunk CLOSED = Chunk.wrap(ByteBuffer.allocate(0));

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", DisconnectWatchState.class);

    private static final VarHandle FOUND = AtomicField.of(MethodHandles.lookup(), "found", Chunk.class);

    private final Connection connection;
    private final boolean endIsDeparture;
    private volatile DisconnectWatchState state = DisconnectWatchState.OFF;
    private volatile @Nullable Chunk found;

    /** The peer has ended its output while it was watched. */
    private volatile boolean endSeen;

    /** Null until the connection drains. */
    private volatile @Nullable Timers drainTimers;

    private boolean departing;

    /**
     * The transport called while nobody waited for input, and there was none or little: perhaps the connection is to drain,
     * which whoever waits next may have asked about before he was told. So his wait ends at once, and he asks again.
     */
    private volatile boolean calledForNothing;

    /**
     * Off.
     *
     * @param endIsDeparture is the connection to be closed when the peer ends its output while it is watched?
     */
    public DisconnectWatch(Connection connection, boolean endIsDeparture) {
        this.connection = connection;
        this.endIsDeparture = endIsDeparture;
    }

    /** The input is the owner's. */
    public boolean isOff() {
        return state == DisconnectWatchState.OFF;
    }

    /** The transport is watching for input; no reader is waiting. */
    public boolean isWatching() {
        return state == DisconnectWatchState.WATCHING;
    }

    /** The exchange begins to wait for something else. By its owner; its body may be read by another thread meanwhile. */
    public void watch() {
        if (move(Event.WATCH) == DisconnectWatchState.OFF) {
            connection.awaitReadable();
        }
    }

    /** The next bytes. The caller knows that no other thread reads or begins to wait now. */
    @Nullable
    Chunk read() throws IOException {
        Chunk kept = take();
        if (kept != null) {
            return kept;
        }
        return isOff() ? connection.read() : readShared();
    }

    /** The next bytes, for the body: {@link #watch} may be called by another thread at any time. */
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

    /** Somebody waits for input, and will be called. True: at once, by the caller. */
    public boolean await() {
        while (state == DisconnectWatchState.READING) {
            Thread.onSpinWait(); // one who reads though his exchange is over; reading never waits
        }
        DisconnectWatchState from = move(Event.AWAIT);
        if (from == DisconnectWatchState.OFF) {
            connection.awaitReadable();
        }
        return from == DisconnectWatchState.FOUND
                || from == DisconnectWatchState.WATCHING
                        && hasNews()
                        && move(Event.GO_ON) == DisconnectWatchState.AWAITED;
    }

    /** The transport calls. True if a reader is waiting for that; otherwise only the watch wanted to see what there is. */
    public boolean isCallAwaited() {
        return isOff() || move(Event.CALL) != DisconnectWatchState.WATCHING || look();
    }

    /** What was found and not read; null if there is none. For who has the input. */
    @Nullable
    Chunk take() {
        Chunk kept = found;
        boolean mine = kept != null && !isClosedMark(kept) && FOUND.compareAndSet(this, kept, (Chunk) null);
        return mine ? kept : null;
    }

    /**
     * The server stops: a peer that has ended its output while an exchange waits for something else is most likely gone, and
     * gets a moment for its response, not all of the grace. Any thread, more than once.
     */
    public void drain(Timers timers) {
        drainTimers = timers;
        limitDeparture();
    }

    private void limitDeparture() {
        Timers timers = drainTimers;
        if (endSeen && timers != null && isFirstDeparture()) {
            IOException why = new IOException("the client ended its output, and the server is stopping");
            timers.schedule(() -> connection.close(why), ConnectionHandler.DRAIN_LIMIT);
        }
    }

    private synchronized boolean isFirstDeparture() {
        boolean first = !departing;
        departing = true;
        return first;
    }

    /** The connection is closed. Any thread. */
    void close() {
        Chunk kept = (Chunk) FOUND.getAndSet(this, CLOSED);
        if (kept != null && !isClosedMark(kept)) {
            kept.release();
        }
    }

    /** On the transport's thread. True if a reader began to wait meanwhile. */
    private boolean look() {
        Event what = isEnough() ? Event.ENOUGH : Event.AGAIN;
        calledForNothing = true;
        boolean awaited = move(what) == DisconnectWatchState.EXPECTED;
        if (!awaited && what == Event.AGAIN) {
            connection.awaitReadable();
        }
        return awaited;
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
            limitDeparture();
            if (endIsDeparture) {
                connection.close(new IOException("the client ended its output before it had the response"));
            }
            return true;
        } catch (IOException broken) {
            return true; // all who have to do with it are told; and who reads finds the same
        }
    }

    /** Behind what was found before. If somebody reads that in this very moment, he has it before this. */
    private boolean keep(Chunk chunk) {
        Chunk before = take();
        Chunk all = before == null && chunk.bytes().remaining() >= ENOUGH ? chunk : Input.joined(before, chunk);
        int size = all.bytes().remaining();
        if (!FOUND.compareAndSet(this, (Chunk) null, all)) {
            all.release(); // closed
        }
        return size >= ENOUGH;
    }

    private boolean hasNews() {
        boolean called = calledForNothing;
        calledForNothing = false;
        Chunk kept = found;
        return called || kept != null && !isClosedMark(kept);
    }

    @SuppressWarnings("ReferenceEquality") // there is one mark
    private static boolean isClosedMark(Chunk chunk) {
        return chunk == CLOSED;
    }

    /** Returns the state before; null if the event was refused. */
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
