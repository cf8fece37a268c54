package io.millrace.protocol.mux;

import io.millrace.http.RequestHead;
import io.millrace.io.Blocker;
import io.millrace.io.BufferPool;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Delays;
import io.millrace.io.ShortageLogging;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.ProtocolLog;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection that carries many requests at a time, whatever the protocol: its {@link FrameReader} says what came, {@link
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
public final class MuxConnection implements ConnectionHandler {

    /** How much is read before others get their turn. */
    private static final int MAX_READS = 4;

    /** A peer that causes resets waits so long for its next requests. */
    private static final Duration PARKED = Duration.ofMillis(100);

    /** How long a peer has to see the first GOAWAY of a drain. */
    private static final Duration DRAIN_NOTICE = Duration.ofMillis(500);

    /** How long the peer may take to see our end before the connection is cut. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final Duration LEAST_WAIT = Duration.ofMillis(1);

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
    private final Dispatcher dispatcher;
    private final FrameReader reader;
    private final MuxInput input;
    private final MuxOutput output;
    private final StreamSweep sweep;
    private final long begun = System.nanoTime();

    // guarded by this
    private Reading reading = Reading.WAITING;
    private @Nullable Chunk unread;

    private volatile boolean draining;

    /** The peer has ended its output. */
    private volatile boolean ended;

    // the reader's
    private boolean started;
    private boolean drainBegun;
    private boolean within = true;
    private long withinSince = begun;
    private Duration timeout = Duration.ZERO;

    /**
     * The handler of one connection.
     *
     * @param unread bytes read before the protocol was known; ours from now on
     */
    public MuxConnection(
            MuxContext context,
            Connection connection,
            @Nullable Chunk unread,
            Dispatcher dispatcher,
            FrameReader reader,
            FrameWriter writer) {
        this.context = context;
        this.transport = connection;
        this.unread = unread;
        this.dispatcher = dispatcher;
        this.reader = reader;
        Channel below = connection.channel();
        channel = new Channel(below.info(), below.buffers(), false, false, Blocker.NEVER_IN_PLACE, below.timers());
        sweep = new StreamSweep(this);
        output = new MuxOutput(this, writer);
        input = new MuxInput(this, output);
    }

    // ---- what the transport calls

    @Override
    public void onReadable() {
        if (begin()) {
            run(this::read);
        }
    }

    @Override
    public void onIdle() {
        if (begin()) {
            run(this::idle);
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private void run(Step step) {
        boolean await = false;
        try {
            step.run();
            await = true;
        } catch (ConnectionFault fault) {
            output.fault(fault);
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
            output.close(cause);
        } finally {
            if (!busy) {
                reader.close();
            }
        }
    }

    @Override
    public void drain() {
        draining = true;
        limitDeparture();
        output.tellDrain();
    }

    /** An error of a reader, a dispatcher or what they call: nobody else would look after the connection. */
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
        if (!started) {
            started = true;
            start();
        }
        boolean more = true;
        for (int i = 0; i < MAX_READS && more; i++) {
            Chunk chunk = next();
            more = chunk != null && take(chunk);
        }
    }

    private void start() {
        output.pump().cork();
        try {
            output.start();
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
            peerEnded();
            return false;
        }
        boolean full = chunk.bytes().remaining() == BufferPool.BUFFER_SIZE;
        if (!isServed()) {
            chunk.release(); // lingering
            return true;
        }
        int before = input.events();
        output.pump().cork();
        try {
            try {
                reader.read(chunk.bytes(), input);
            } finally {
                chunk.release();
                input.tell();
            }
        } finally {
            output.pump().uncork();
        }
        noteFrame(before);
        requireFrame();
        Channel below = transport.channel();
        return !below.mayBlock() && (full || !below.emptyReadsCost()) && !output.isCongested();
    }

    private boolean isServed() {
        return output.state().compareTo(MuxState.CLOSING) < 0;
    }

    /** Is the same frame still incomplete? */
    private void noteFrame(int eventsBefore) {
        boolean now = reader.isWithinFrame();
        if (now && (!within || input.events() != eventsBefore)) {
            withinSince = System.nanoTime();
        }
        within = now;
    }

    private void peerEnded() {
        ended = true;
        if (!isServed() || output.isEmpty() || !context.options().allowHalfClose()) {
            transport.close(null);
            return;
        }
        output.peerGone();
        output.last();
        limitDeparture();
    }

    /** A peer that has ended its output is most likely gone: when the server stops it has a moment for its responses. */
    private void limitDeparture() {
        if (ended && draining) {
            IOException why = new IOException("the client ended its output, and the server stops");
            channel.timers().schedule(() -> transport.close(why), DRAIN_LIMIT);
        }
    }

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
        Duration most = context.options().connectionTimeout();
        if (!isServed()) {
            return LINGER;
        }
        if (within) {
            return left(most, withinSince);
        }
        return output.isEmpty() ? left(context.options().keepAliveTimeout(), output.emptySince()) : most;
    }

    private static Duration left(Duration limit, long since) {
        if (limit.isZero()) {
            return limit;
        }
        Duration left = limit.minusNanos(System.nanoTime() - since);
        return left.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : left;
    }

    /** The peer has sent nothing for a while; that is its right while it is served. */
    private void idle() throws ConnectionFault {
        MuxOptions options = context.options();
        if (!isServed()) {
            transport.close(null);
            return;
        }
        requireFrame();
        if (output.isEmpty() && isOver(options.keepAliveTimeout(), output.emptySince())) {
            output.last();
        }
    }

    /** A frame has to come whole in time, in however small pieces it comes. */
    private void requireFrame() throws ConnectionFault {
        if (!within || !isOver(context.options().connectionTimeout(), withinSince)) {
            return;
        }
        if (input.events() == 0) {
            transport.close(null); // it has said nothing at all
        } else {
            throw new ConnectionFault(Fault.PROTOCOL, "a frame that did not come whole in time");
        }
    }

    private static boolean isOver(Duration limit, long since) {
        return !limit.isZero() && System.nanoTime() - since >= nanos(limit) - TimeUnit.MILLISECONDS.toNanos(1);
    }

    /** A timeout in nanoseconds; zero waits for ever. */
    static long nanos(Duration timeout) {
        return timeout.isZero() ? Delays.LONGEST_NANOS : Delays.nanos(timeout);
    }

    // ---- the end

    private void beginDrain() {
        if (input.events() == 0) {
            transport.close(null);
        } else if (output.drain()) {
            channel.timers().schedule(output::last, DRAIN_NOTICE);
        }
    }

    /** All was sent, our end as well: the peer gets time to see it. */
    void linger(@Nullable Throwable failure) {
        if (failure != null || ended) {
            transport.close(failure);
        } else {
            channel.timers().schedule(() -> transport.close(null), LINGER);
        }
    }

    // ---- what its parts ask for

    /** The peer has caused many resets: its request is dispatched a little later. */
    void park(RequestHead head, MuxStream stream) {
        Runnable later = () -> {
            try {
                dispatcher.dispatch(head, stream);
            } catch (Throwable error) {
                failed(error);
            }
        };
        channel.timers()
                .schedule(
                        () -> {
                            if (!dispatcher.turns().take(later)) {
                                stream.abort(new StreamResetException(ResetReason.REFUSED, "no worker was free"));
                            }
                        },
                        PARKED);
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

    Dispatcher dispatcher() {
        return dispatcher;
    }

    MuxOutput output() {
        return output;
    }

    StreamSweep sweep() {
        return sweep;
    }

    /** The reader's: the output has ended a stream. */
    void toLose(MuxStream stream) {
        input.toLose(stream);
    }
}
