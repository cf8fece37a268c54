package io.millrace.protocol.mux;

import io.millrace.io.BufferPool;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ShortageLogging;
import io.millrace.io.Turns;
import io.millrace.protocol.ProtocolLog;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection that carries many requests at a time, whatever the protocol: its {@link FrameReader} decodes frames, {@link
 * MuxInput} applies the rules and dispatches requests, {@link MuxOutput} orders what is sent. This reads, waits, and ends.
 * {@link MuxState} says how far its life is.
 *
 * <p><b>Threads.</b> The transport's thread reads, and never leaves the connection to another: handlers that may block go to
 * workers, whatever the transport. Only while the peer does not take what it has asked for is reading suspended, and the
 * thread on which a write ended resumes it.
 *
 * <p><b>Memory</b> of an idle connection: this object and its parts, tables of header compression, the ids of the last streams.
 * No buffer, no timer of its own. While busy at most {@code maxConcurrentStreams × (max(64 KiB, initialWindow) + 16 KiB)} of
 * bodies that nobody reads (more, up to {@code streamWindow}, of those that somebody does), and what {@link MuxOutput} says.
 */
public abstract class MuxConnection implements ConnectionHandler {

    /** How much is read before others get their turn. */
    private static final int MAX_READS = 4;

    /** How long the peer may take to see our end before the connection is cut. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private enum Reading {
        /** The transport waits for input, or nobody does yet. */
        WAITING,
        /** A thread reads. */
        READING,
        /** The connection was closed meanwhile: that thread gives back what the reader has. */
        CLOSED_WITHIN,
        CLOSED
    }

    private final MuxContext context;
    private final Connection transport;
    private final Channel channel;
    private final FrameReader reader;
    private final MuxOutput output;
    private final MuxStreams streams;
    private final MuxShutdown shutdown;
    private final StreamSweep sweep;
    private final FrameClock clock;
    private final int firstWindow;
    // guarded by this
    private Reading reading = Reading.WAITING;
    private @Nullable Chunk unread;

    private volatile boolean draining;

    /** The peer has ended its output. */
    private volatile boolean ended;

    private boolean started;
    private boolean drainBegun;
    private Duration timeout = Duration.ZERO;

    /**
     * The handler of one connection.
     *
     * @param unread bytes read before the protocol was known; ours from now on
     * @param turns of the threads that send
     * @param speaksFirst has the peer to send something before anything else?
     */
    MuxConnection(
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
        sweep = new StreamSweep(this);
        clock = new FrameClock(context, speaksFirst);
        firstWindow = writer.firstWindow();
        AbuseMeter meter = new AbuseMeter(System.nanoTime());
        output = new MuxOutput(this, turns, writer, meter);
        streams = new MuxStreams(this, output, writer, meter);
        shutdown = new MuxShutdown(this, output, streams, writer);
    }

    /** What the peer says is the affair of. */
    abstract MuxInput input();

    // ---- what the transport calls

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

    /** Nothing if another thread is at it. */
    private void run(Step step) {
        if (!begin()) {
            return;
        }
        boolean await = false;
        try {
            step.run();
            await = true;
        } catch (ConnectionFault fault) {
            shutdown.fault(fault);
            await = true; // what the peer still sends is dropped until it has seen that
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
            shutdown.close(cause);
        } finally {
            if (!busy) {
                reader.close();
            }
        }
    }

    @Override
    public void drain() {
        draining = true;
        shutdown.tellDrain();
    }

    /** Closes the connection after an error of a reader, of a dispatcher or of what they call. */
    void failed(Throwable error) {
        try {
            transport.close(error);
        } finally {
            if (ShortageLogging.isDue(error)) {
                ProtocolLog.LOG.internalError(error);
            }
        }
    }

    // ---- reading

    private void read() throws IOException {
        start();
        boolean more = true;
        for (int i = 0; i < MAX_READS && more; i++) {
            Chunk chunk = next();
            more = chunk != null && take(chunk);
        }
    }

    /** Says what the connection begins with, and waits for the peer. By the connection's owner. */
    final void open() {
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
            input().begin();
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

    /** False if nothing more is to be read now. */
    private boolean take(Chunk chunk) throws IOException {
        if (chunk.isEnd()) {
            ended = true;
            peerEnded();
            return false;
        }
        boolean full = chunk.bytes().remaining() == BufferPool.BUFFER_SIZE;
        if (!isServed()) {
            chunk.release(); // lingering
            return true;
        }
        int before = input().events();
        output.pump().cork();
        try {
            try {
                reader.read(chunk.bytes(), input());
            } finally {
                chunk.release();
                input().tell();
            }
        } finally {
            output.pump().uncork();
        }
        clock.note(reader.isWithinFrame(), input().events() != before);
        requireFrame();
        Channel below = transport.channel();
        return !below.mayBlock() && (full || !below.emptyReadsCost()) && !output.isCongested();
    }

    /** Is what the peer sends still looked at? */
    final boolean isServed() {
        return shutdown.state().compareTo(MuxState.CLOSING) < 0;
    }

    /** The peer has ended its output. On the reader's thread. */
    abstract void peerEnded();

    // ---- waiting

    /** Gives the connection to the transport until there is more to read. */
    private void await() {
        if (draining && !drainBegun) {
            drainBegun = true;
            beginDrain();
        }
        if (ended || output.isCongested() && output.awaitRoom(this::onReadable)) {
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

    /** The peer has sent nothing for a while; that is its right while it is served. */
    private void idle() throws ConnectionFault {
        if (!isServed()) {
            transport.close(null);
            return;
        }
        requireFrame();
        if (streams.isEmpty() && clock.isOverWithoutStream(streams.emptySince())) {
            shutdown.last();
        }
    }

    /** A frame must be complete in time, in however many pieces it arrives. */
    private void requireFrame() throws ConnectionFault {
        if (!clock.isOver()) {
            return;
        }
        if (input().events() == 0) {
            transport.close(null); // it has said nothing at all
        } else {
            throw new ConnectionFault(Fault.PROTOCOL, "a frame that did not come whole in time");
        }
    }

    // ---- the end

    /** Ends in good order. On the reader's thread. */
    abstract void beginDrain();

    /** The last stream of the peer's that was, or will be, served; with the output lock. */
    abstract int lastOfPeer();

    /** The peer broke a rule of the connection. */
    abstract void note(ConnectionFault fault);

    /** All was sent, our end as well: the peer gets time to see it. */
    void linger(@Nullable Throwable failure) {
        if (failure != null || ended) {
            transport.close(failure);
        } else {
            channel.timers().schedule(() -> transport.close(null), LINGER);
        }
    }

    /** Has the peer ended its output? */
    final boolean isEnded() {
        return ended;
    }

    /** Is it to end in good order? */
    final boolean isDraining() {
        return draining;
    }

    MuxContext context() {
        return context;
    }

    Connection transport() {
        return transport;
    }

    /** What streams have of it: nobody who is called on its thread may block. */
    Channel channel() {
        return channel;
    }

    MuxOutput output() {
        return output;
    }

    MuxStreams streams() {
        return streams;
    }

    MuxShutdown shutdown() {
        return shutdown;
    }

    StreamSweep sweep() {
        return sweep;
    }

    /**
     * What a stream's peer sends.
     *
     * @param length announced; -1 if there is none
     */
    StreamInput streamInput(long length) {
        return new StreamInput(
                channel.buffers(),
                context.options().get(MuxOptions.INITIAL_WINDOW_SIZE),
                firstWindow,
                MuxOptions.streamWindow(context.options()),
                length);
    }
}
