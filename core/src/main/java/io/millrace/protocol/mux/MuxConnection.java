package io.millrace.protocol.mux;

import io.millrace.io.BufferPool;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ShortageLogging;
import io.millrace.io.Turns;
import io.millrace.log.CoreLog;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A connection with many concurrent requests, whatever the protocol: its {@link FrameReader} decodes frames, a {@link
 * FrameSink} applies the rules and dispatches requests, {@link MuxStreams} has the streams, {@link MuxOutput} orders the
 * output. This class reads, waits for the peer, and closes.
 *
 * <p><b>Threads.</b> The transport's thread reads, and never passes the connection to another: handlers that may block run
 * on workers, whatever the transport. Reading is suspended only while the peer does not receive responses to its control
 * frames (back-pressure); the thread on which a write ends resumes it.
 *
 * <p><b>Memory</b> of an idle connection: this object and its parts, tables of header compression, the ids of recent
 * streams; no buffer, and no timer of its own. Of a busy one: at most {@code maxConcurrentStreams × (max(64 KiB,
 * initialWindow) + 16 KiB)} for bodies that are not being read (up to {@code streamWindow} instead for those that are), and
 * that of {@link MuxOutput}.
 */
public abstract class MuxConnection implements ConnectionHandler {

    /** The number of chunks read before other connections are served. */
    private static final int MAX_READS = 4;

    /** How long the connection stays open after its last output, so that the peer receives it. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private enum Reading {
        /** No thread reads: the transport waits for input, or the connection is new. */
        WAITING,
        /** A thread reads. */
        READING,
        /** The connection was closed meanwhile: that thread closes the frame reader. */
        CLOSED_WITHIN,
        CLOSED
    }

    private final MuxContext context;
    private final Connection transport;
    private final Channel channel;
    private final FrameReader reader;
    private final MuxLock lock = new MuxLock();
    private final MuxOutput output;
    private final MuxStreams streams;
    private final AbuseMeter meter = new AbuseMeter(System.nanoTime());
    private final StreamSweep sweep;
    private final FrameClock clock;
    private final int firstWindow;
    // guarded by this
    private Reading reading = Reading.WAITING;
    private @Nullable Chunk unread;

    private volatile boolean draining;

    /** The peer has ended its output. */
    private volatile boolean ended;

    /** Some of what was read waits for this connection's next turn. Confined to the reader. */
    private boolean turnOver;

    private boolean started;
    private boolean drainBegun;
    private Duration timeout = Duration.ZERO;

    /**
     * The handler of a connection.
     *
     * @param unread bytes that were read before the protocol was selected, owned by this object; null if there are none
     * @param turns the executor of the threads that send
     * @param speaksFirst whether the peer must send a frame or preface first
     */
    protected MuxConnection(
            MuxContext context,
            Connection connection,
            @Nullable Chunk unread,
            Turns turns,
            FrameReader reader,
            FrameWriter writer,
            boolean speaksFirst) {
        this.context = context;
        this.transport = connection;
        this.unread = unread;
        this.reader = reader;
        channel = connection.channel().forStreams();
        sweep = new StreamSweep(channel.timers(), context.options(), this::sweep, this::failed);
        clock = new FrameClock(context, speaksFirst);
        firstWindow = writer.firstWindow();
        output = new MuxOutput(this, turns, writer);
        streams = new MuxStreams(this, writer);
    }

    /** Receives the peer's frames. */
    protected abstract FrameSink input();

    /** Called at the start of the connection, when our first frames are in the batch. */
    protected abstract void opened() throws ConnectionFault;

    /** Called at the end of each read: notifies streams and readers of what was read. */
    protected abstract void notifyStreams();

    // ---- called by the transport

    @Override
    public void onReadable() {
        run(this::read);
    }

    @Override
    public void onIdle() {
        run(this::idle);
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Does nothing if another thread is reading. */
    private void run(Step step) {
        if (!begin()) {
            return;
        }
        boolean await = false;
        try {
            step.run();
            await = true;
        } catch (ConnectionFault fault) {
            streams.fault(fault);
            await = true; // further input is discarded until the peer has received GOAWAY
        } catch (IOException broken) {
            transport.close(broken);
        } catch (Throwable error) {
            failed(error);
        } finally {
            boolean alive = finish();
            if (await && alive) {
                await();
            }
        }
    }

    private synchronized boolean begin() {
        boolean free = reading == Reading.WAITING;
        reading = free ? Reading.READING : reading;
        return free;
    }

    /** False if the connection was closed meanwhile. */
    private boolean finish() {
        synchronized (this) {
            if (reading == Reading.READING) {
                reading = Reading.WAITING;
                return true;
            }
            reading = Reading.CLOSED;
        }
        reader.close();
        return false;
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        boolean busy;
        Chunk dropped;
        synchronized (this) {
            busy = reading == Reading.READING;
            reading = busy ? Reading.CLOSED_WITHIN : Reading.CLOSED;
            dropped = unread;
            unread = null;
        }
        if (dropped != null) {
            dropped.release();
        }
        try {
            streams.close(cause);
        } finally {
            if (!busy) {
                reader.close();
            }
        }
    }

    @Override
    public void drain() {
        draining = true;
        streams.notifyDrain();
    }

    /** Closes the connection after an error of a reader, a dispatcher or their callees. Throws nothing: the caller has others to notify. */
    protected final void failed(Throwable error) {
        try {
            try {
                transport.close(error);
            } finally {
                if (ShortageLogging.isDue(error)) {
                    CoreLog.PROTOCOL.internalError(error);
                }
            }
        } catch (Throwable again) {
            // out of memory, most likely: the connection is closed all the same
        }
    }

    // ---- reading

    private void read() throws IOException {
        start();
        turnOver = false;
        clock.beginTurn(transport.channel().blocker().turns() != null);
        boolean more = true;
        for (int i = 0; i < MAX_READS && more; i++) {
            Chunk chunk = next();
            more = chunk != null && take(chunk);
        }
    }

    /** Sends our settings, and waits for the peer. Called by the connection's owner. */
    protected final void open() {
        run(this::start);
    }

    private void start() throws ConnectionFault {
        if (started) {
            return;
        }
        started = true;
        output.pump().cork();
        try {
            output.start();
            opened();
        } finally {
            output.pump().uncork();
        }
    }

    private @Nullable Chunk next() throws IOException {
        Chunk kept;
        synchronized (this) {
            kept = unread;
            unread = null;
        }
        return kept != null ? kept : transport.read();
    }

    /** Takes ownership of the chunk. False if no more should be read now. */
    private boolean take(Chunk chunk) throws IOException {
        if (chunk.isEnd()) {
            ended = true;
            peerEnded(Chunk.isTruncatedEnd(chunk));
            return false;
        }
        boolean full = chunk.bytes().remaining() == BufferPool.BUFFER_SIZE;
        if (!isServed()) {
            chunk.release(); // lingering
            return true;
        }
        output.pump().cork();
        try {
            boolean kept = false;
            try {
                reader.read(chunk.bytes(), input());
                kept = chunk.bytes().hasRemaining() && keep(chunk);
            } finally {
                if (!kept) {
                    chunk.release();
                }
                notifyStreams();
            }
        } finally {
            output.pump().uncork();
        }
        clock.note(reader.isWithinFrame());
        requireFrame();
        Channel below = transport.channel();
        return !turnOver && !below.mayBlock() && (full || !below.emptyReadsCost()) && !output.isCongested();
    }

    /** Keeps the rest of a chunk for the next turn; false if the connection was closed meanwhile. */
    private synchronized boolean keep(Chunk rest) {
        turnOver = reading == Reading.READING;
        unread = turnOver ? rest : unread;
        return turnOver;
    }

    /** Whether input is still processed; otherwise it is discarded. */
    final boolean isServed() {
        return streams.state().compareTo(MuxState.CLOSING) < 0;
    }

    /**
     * Called on the reader's thread when the peer has ended its output.
     *
     * @param truncated whether it has ended without saying so ({@link Chunk#TRUNCATED_END})
     */
    protected abstract void peerEnded(boolean truncated);

    // ---- waiting

    /** Returns the connection to the transport until more input arrives. */
    private void await() {
        if (draining && !drainBegun) {
            drainBegun = true;
            beginDrain();
        }
        if (ended || output.isCongested() && output.awaitRoom(this::onReadable)) {
            return;
        }
        Executor turns = turnOver ? transport.channel().blocker().turns() : null;
        if (turns != null) {
            turns.execute(this::onReadable);
            return;
        }
        Duration limit = limit();
        if (!limit.equals(timeout)) {
            timeout = limit;
            transport.idleTimeout(limit);
        }
        transport.awaitReadable();
    }

    private Duration limit() {
        if (!isServed()) {
            return LINGER;
        }
        return streams.isEmpty() ? clock.leftWithoutStream(streams.emptySince()) : clock.left();
    }

    /** The peer has sent nothing for the timeout, which is allowed while it has streams. */
    private void idle() throws ConnectionFault {
        if (!isServed()) {
            transport.close(null);
            return;
        }
        requireFrame();
        if (streams.isEmpty() && clock.isOverWithoutStream(streams.emptySince())) {
            streams.acceptNoMore();
        }
    }

    /** Throws if an incomplete frame has timed out. */
    private void requireFrame() throws ConnectionFault {
        if (!clock.isOver()) {
            return;
        }
        if (clock.hasBegun()) {
            throw new ConnectionFault(Fault.PROTOCOL, "a frame that was not complete in time");
        }
        transport.close(null); // the peer has sent no frame at all
    }

    // ---- the timeouts of streams

    /** Called when a stream starts to wait for its peer, possibly with the lock held, and when the peer has ended its output. */
    void watch() {
        if (ended) {
            sweep.checkSoon(); // no wait for a window can succeed
        } else {
            sweep.need();
        }
    }

    /** Resets streams whose peer opens their windows too slowly or not at all. True if others are still waiting. */
    private boolean sweep(long now) {
        Map<MuxStream, IOException> stalled = new LinkedHashMap<>();
        List<MuxStream> all;
        boolean waiting = false;
        synchronized (lock) {
            all = streams.all();
            for (MuxStream each : all) {
                waiting |= output.isWaiting(each);
                IOException why = output.stall(each, now);
                if (why != null && streams.reset(each, Fault.CANCEL, why)) {
                    stalled.put(each, why);
                }
            }
        }
        stalled.forEach((stream, why) -> streams.lose(List.of(stream), why));
        for (MuxStream each : all) {
            waiting |= each.sweep(now);
        }
        output.pump().flushElsewhere();
        return waiting;
    }

    // ---- streams that this side opens

    /** Whether new streams may be opened. */
    protected final boolean isOpen() {
        return streams.state() == MuxState.OPEN;
    }

    /** The number of running exchanges. Called with the lock held. */
    protected final int running() {
        return streams.running();
    }

    /**
     * Opens a stream with a request. Called with the lock held; the caller then calls {@link #flush} without it.
     *
     * @param length the Content-Length of the request; -1 if there is none
     * @param last whether there is no body
     * @param sent called when the head is in a batch
     */
    protected final void open(MuxStream stream, FrameWriter.Opening head, long length, boolean last, Completion sent) {
        streams.open(stream);
        output.request(stream, head, length, last, sent);
    }

    /** Sends what was put into the open batch, now or soon together with other output. Called without the lock. */
    protected final void flush() {
        output.runCompletions();
        output.pump().flushSoon();
    }

    /** Accepts no more streams; the connection ends when the open ones have ended. */
    protected final void acceptNoMore() {
        streams.acceptNoMore();
    }

    // ---- the end

    /** Starts a graceful shutdown. Called on the reader's thread. */
    protected abstract void beginDrain();

    /** The last stream of the peer that was or will be processed. Called with the {@link MuxLock} held. */
    protected abstract int lastOfPeer();

    /** Logs a violation that ends the connection. */
    protected abstract void note(ConnectionFault fault);

    /** All output and our end were sent: closes the connection when the peer has had time to receive them. */
    void linger(@Nullable Throwable failure) {
        if (failure != null || ended) {
            transport.close(failure);
        } else {
            channel.timers().schedule(() -> transport.close(null), LINGER);
        }
    }

    /** Whether the peer has ended its output. */
    final boolean isEnded() {
        return ended;
    }

    /** Whether a graceful shutdown was requested. */
    protected final boolean isDraining() {
        return draining;
    }

    boolean allowsResetsOfUnopened() {
        return reader.allowsResetsOfUnopened();
    }

    /** What the connections of a connector share. */
    protected final MuxContext context() {
        return context;
    }

    /** The connection below. */
    protected final Connection transport() {
        return transport;
    }

    /** The channel of its streams: their callbacks on the connection's thread must not block. */
    protected final Channel channel() {
        return channel;
    }

    /** The lock, which also guards what subclasses decide about streams. */
    protected final MuxLock lock() {
        return lock;
    }

    MuxOutput output() {
        return output;
    }

    MuxStreams streams() {
        return streams;
    }

    AbuseMeter meter() {
        return meter;
    }

    FrameClock clock() {
        return clock;
    }

    /** The initial window that the peer assumes until it receives our settings. */
    int firstWindow() {
        return firstWindow;
    }
}
