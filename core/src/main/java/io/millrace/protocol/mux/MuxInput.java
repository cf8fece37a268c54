package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies the rules that multiplexed protocols share to the peer's frames: the order of stream ids, which frames are allowed
 * in which state, and how many. Streams that end here, and readers of bodies, are notified once at the end of a read.
 *
 * <p>The connection's window does not limit memory: it is replenished as octets arrive, whatever happens to them. No path
 * can therefore leak it, and a stream that waits for a thread cannot block the others. The windows of streams limit memory.
 *
 * <p><b>Threads.</b> Confined to the connection's reader.
 */
public abstract class MuxInput implements FrameSink {

    final MuxConnection connection;
    final MuxStreams streams;
    final MuxOutput output;
    final MuxLock lock;

    /** The octets that were received and not yet granted again in the connection's window. */
    private int received;

    private @Nullable StreamInput firstToWake;
    private final List<MuxStream> lost = new ArrayList<>(0);
    private final List<Throwable> causes = new ArrayList<>(0);

    private final AbuseMeter meter;
    private final FrameClock clock;

    /** The input of a connection. */
    protected MuxInput(MuxConnection connection) {
        this.connection = connection;
        streams = connection.streams();
        output = connection.output();
        lock = connection.lock();
        meter = connection.meter();
        clock = connection.clock();
    }

    /** Counts a frame. */
    protected final void count() {
        clock.count();
    }

    @Override
    public final boolean isTurnOver() {
        return clock.isTurnOver();
    }

    /** Counts a frame without effect. */
    protected final void countGlitch() throws ConnectionFault {
        meter.countGlitch();
    }

    /** Only clients open streams, except for push. */
    protected static void requireOdd(int id) throws ConnectionFault {
        if ((id & 1) == 0) {
            throw new ConnectionFault(Fault.PROTOCOL, "a frame for stream " + id + ", which only a server may open");
        }
    }

    /** The open stream of this id; null if there is none. */
    protected final @Nullable MuxStream find(int id) {
        return streams.find(id);
    }

    /** Whether neither this stream nor one with a higher id has been opened. */
    protected final boolean isUnused(int id) {
        return streams.isUnused(id);
    }

    /** A header block on an open stream whose head has been received: the trailer fields. */
    protected final HeadersKind trailersOf(MuxStream stream) throws ConnectionFault {
        boolean open;
        synchronized (lock) {
            open = stream.isPeerOpen();
        }
        if (!open) {
            afterEnd(stream, "a header block");
            return HeadersKind.IGNORED;
        }
        return HeadersKind.TRAILERS;
    }

    // ---- bodies

    /**
     * Begins the body of a response.
     *
     * @param length its Content-Length; -1 if there is none
     * @param end whether the head has ended the stream
     */
    protected final void beginBody(MuxStream stream, long length, boolean end) {
        StreamInput input = stream.in();
        if (input == null) {
            throw new IllegalStateException("the stream has no input");
        }
        input.announce(length);
        if (end) {
            streams.peerEnded(stream);
            input.end(null);
        }
    }

    @Override
    public void data(int id, ByteBuffer from, int length, int flowLength, boolean end) throws ConnectionFault {
        count();
        int after = from.position() + length;
        countFlow(flowLength);
        MuxStream stream = streams.find(id);
        if (stream == null) {
            from.position(after);
            requireOdd(id);
            requireUsed(id, "DATA");
            closed(id);
            return;
        }
        if (length == 0 && !end) {
            countGlitch();
        }
        take(stream, from, length, flowLength, end);
        from.position(after);
    }

    private void take(MuxStream stream, ByteBuffer from, int length, int flowLength, boolean end)
            throws ConnectionFault {
        StreamInput input = stream.in();
        boolean open;
        synchronized (lock) {
            open = stream.isPeerOpen();
        }
        if (input == null || !open) {
            afterEnd(stream, "DATA");
            return;
        }
        if (!stream.mayHaveBody()) {
            fault(stream, Fault.PROTOCOL, "DATA before a head");
            return;
        }
        Fault broken = input.violation(length, flowLength, end);
        if (broken != null) {
            fault(
                    stream,
                    broken,
                    broken == Fault.FLOW_CONTROL
                            ? "more DATA than the stream's window allowed"
                            : "a body whose length differs from its Content-Length");
            return;
        }
        if (end) {
            streams.peerEnded(stream); // before a reader can see the end, and end the exchange
        }
        try {
            input.push(from, length, flowLength, end);
        } catch (IOException noBuffer) {
            toLose(stream, noBuffer);
            streams.reset(stream, Fault.INTERNAL, noBuffer);
            return;
        }
        if (input.isOverdrawn()) {
            streams.endRest(stream);
        }
        toWake(input);
    }

    /** Counts octets against the connection's window, and grants them again when half of it is used. */
    private void countFlow(int flowLength) throws ConnectionFault {
        received += flowLength;
        int window = connection.context().options().get(MuxOptions.CONNECTION_WINDOW_SIZE);
        if (received > window) {
            throw new ConnectionFault(Fault.FLOW_CONTROL, "more DATA than the connection's window allowed");
        }
        if (received >= window / 2) {
            output.grant(received);
            received = 0;
        }
    }

    @Override
    public void trailers(int id, Headers fields) throws ConnectionFault {
        MuxStream stream = streams.find(id);
        StreamInput input = stream == null ? null : stream.in();
        if (stream == null || input == null) {
            return; // ended meanwhile
        }
        if (input.violation(0, 0, true) != null) {
            fault(stream, Fault.PROTOCOL, "a body that is shorter than its Content-Length");
            return;
        }
        streams.peerEnded(stream); // as with DATA
        input.end(fields);
        toWake(input);
    }

    // ---- ends of streams

    @Override
    public void fault(int id, Fault fault, String why) throws ConnectionFault {
        count();
        MuxStream stream = streams.find(id);
        if (stream != null) {
            fault(stream, fault, why);
        } else if (streams.isUnused(id)) {
            streams.refuseNew(id, fault);
        }
    }

    protected final void fault(MuxStream stream, Fault fault, String why) throws ConnectionFault {
        IOException cause = new StreamFault(fault, "protocol violation by the peer: found " + why);
        toLose(stream, cause);
        streams.fault(stream, fault, cause);
    }

    /** The peer sends after its end. If our side has ended meanwhile too, the stream cannot be reset, and {@link #closed} applies. */
    final void afterEnd(MuxStream stream, String what) throws ConnectionFault {
        fault(stream, Fault.STREAM_CLOSED, what + " after the end of the stream");
        if (streams.howClosed(stream.id()) == StreamState.CLOSED) {
            closed(stream.id());
        }
    }

    /**
     * A frame for a stream that has ended: one that may have been in flight is ignored and counted, since their number is
     * unknown; others are not allowed (RFC 9113, 5.1).
     */
    protected final void closed(int id) throws ConnectionFault {
        StreamState how = streams.howClosed(id);
        if (how == null && (streams.hasForgotten() || streams.isUnused(id))) {
            meter.countUnlessEarned(); // most likely we reset the stream, or refused it during shutdown
            return;
        }
        if (how == null) {
            throw new ConnectionFault(Fault.PROTOCOL, "a frame for a stream id that was skipped");
        }
        switch (how) {
            case RESET_BY_US -> meter.countUnlessEarned(); // sent before the peer received the reset
            case RESET_BY_PEER -> streams.refuse(id, Fault.STREAM_CLOSED);
            default ->
                throw new ConnectionFault(Fault.STREAM_CLOSED, "a frame for a stream that both sides have ended");
        }
    }

    @Override
    public void reset(int id, Fault fault) throws ConnectionFault {
        count();
        if (!connection.allowsResetsOfUnopened()) {
            requireUsed(id, "a reset");
        }
        MuxStream stream = streams.find(id);
        if (stream != null) {
            IOException why = new StreamResetException(fault.reason(), "the peer reset the stream: " + fault);
            toLose(stream, why);
            streams.peerReset(stream, why);
        } else {
            meter.countUnlessEarned(); // it may have ended meanwhile
        }
    }

    final void requireUsed(int id, String what) throws ConnectionFault {
        if (streams.isUnused(id) && streams.state().isServing()) {
            throw new ConnectionFault(Fault.PROTOCOL, what + " for a stream that was not opened");
        }
    }

    final void toLose(MuxStream stream, Throwable why) {
        lost.add(stream);
        causes.add(why);
    }

    // ---- the connection

    /**
     * The peer has sent GOAWAY to a client: those of our streams that it will not process end, the others continue.
     *
     * @param lastId the last stream that it processes
     * @param why makes the failure of each of the others
     */
    protected final void peerLeaves(int lastId, Supplier<? extends IOException> why) {
        streams.acceptNoMore();
        List<MuxStream> unserved;
        synchronized (lock) {
            unserved = streams.all();
        }
        unserved.removeIf(stream -> stream.id() <= lastId);
        for (MuxStream each : unserved) {
            streams.abort(each, ResetReason.CANCEL, why.get());
        }
    }

    @Override
    public void credit(int id, int increment) throws ConnectionFault {
        count();
        if (id != 0) {
            requireUsed(id, "a window update");
        }
        meter.countUnlessEarned();
        if (increment > 0 && id == 0) {
            output.credit(increment);
        } else if (id == 0) {
            throw new ConnectionFault(Fault.PROTOCOL, "a window update of 0 for the connection");
        } else if (increment <= 0) {
            fault(id, Fault.PROTOCOL, "a window update of 0");
        } else if (!output.credit(id, increment)) {
            fault(id, Fault.FLOW_CONTROL, "a window of more than 2147483647");
        }
    }

    @Override
    public void settings(PeerSettings settings) throws ConnectionFault {
        count();
        countGlitch();
        output.adopt(settings, true);
    }

    @Override
    public void settingsAcknowledged() throws ConnectionFault {
        count();
        countGlitch();
    }

    @Override
    public void ping(long payload, boolean ack) throws ConnectionFault {
        count();
        if (!ack) {
            meter.countUnlessEarned();
            output.ping(payload);
        } else if (payload == MuxStreams.DRAIN_PING && streams.state() == MuxState.DRAINING) {
            streams.acceptNoMore();
        } else {
            countGlitch();
        }
    }

    @Override
    public void glitch() throws ConnectionFault {
        count();
        countGlitch();
    }

    // ---- after a read

    private void toWake(StreamInput input) {
        if (!input.isWakePending) {
            input.isWakePending = true;
            input.nextToWake = firstToWake;
            firstToWake = input;
        }
    }

    /** Notifies streams and readers of what was read. */
    public final void notifyStreams() {
        StreamInput next = firstToWake;
        firstToWake = null;
        while (next != null) {
            StreamInput input = next;
            next = input.nextToWake;
            input.nextToWake = null;
            input.isWakePending = false;
            try {
                input.wake();
            } catch (Throwable error) { // the others are still notified
                connection.failed(error);
            }
        }
        for (int i = 0; i < lost.size(); i++) {
            streams.lose(lost.get(i), causes.get(i));
        }
        lost.clear();
        causes.clear();
        output.runCompletions();
    }
}
