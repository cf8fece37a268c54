package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.protocol.StreamResetException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the peer says, by the rules that many-stream protocols share: which ids may come in which order, what may come in which
 * state, and how much of it. Streams that end here are told when the read is over, and so are readers of bodies, once for all
 * that came.
 *
 * <p>The connection's window bounds no memory, it is opened again as octets arrive, whatever becomes of them: so no path can
 * leak it, and no stream that waits for a thread can stop the others. Streams have windows of their own for that.
 *
 * <p><b>Threads.</b> The connection's reader's.
 */
abstract class MuxInput implements FrameSink {

    final MuxConnection connection;
    final MuxStreams streams;
    final MuxOutput output;

    /** Of the connection's window: what has come and was not granted again. */
    private int received;

    private @Nullable StreamInput firstToWake;
    private final List<MuxStream> lost = new ArrayList<>(0);
    private final List<Throwable> causes = new ArrayList<>(0);

    /** How many events there were: a frame that takes long is one between whose octets there are none. */
    private int events;

    MuxInput(MuxConnection connection) {
        this.connection = connection;
        streams = connection.streams();
        output = connection.output();
    }

    int events() {
        return events;
    }

    /** A frame has come. */
    void count() {
        events++;
    }

    /** The connection begins: our first frames were put into the batch. */
    abstract void begin() throws ConnectionFault;

    /** Only clients open streams here. */
    static void requireOdd(int id) throws ConnectionFault {
        if ((id & 1) == 0) {
            throw new ConnectionFault(Fault.PROTOCOL, "a frame for stream " + id + ", which only a server may open");
        }
    }

    /** A header block of a stream that is open, and behind its message: the fields that end it. */
    final HeadersKind trailersOf(MuxStream stream) throws ConnectionFault {
        boolean open;
        synchronized (output) {
            open = stream.isPeerOpen();
        }
        if (!open) {
            afterEnd(stream, "a header block");
            return HeadersKind.IGNORED;
        }
        return HeadersKind.TRAILERS;
    }

    // ---- bodies

    @Override
    public void data(int id, ByteBuffer from, int length, int flowLength, boolean end) throws ConnectionFault {
        events++;
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
            streams.glitch();
        }
        take(stream, from, length, flowLength, end);
        from.position(after);
    }

    private void take(MuxStream stream, ByteBuffer from, int length, int flowLength, boolean end)
            throws ConnectionFault {
        StreamInput input = stream.in();
        boolean open;
        synchronized (output) {
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
        if (end) {
            streams.peerEnded(stream); // before anybody can read the end, and end the exchange
        }
        Fault broken;
        try {
            broken = input.push(from, length, flowLength, end);
        } catch (IOException noBuffer) {
            toLose(stream, noBuffer);
            streams.reset(stream, Fault.INTERNAL, noBuffer);
            return;
        }
        if (broken != null) {
            fault(
                    stream,
                    broken,
                    broken == Fault.FLOW_CONTROL
                            ? "more DATA than the stream's window allowed"
                            : "a body that is not as long as its Content-Length");
            return;
        }
        if (input.isOverdrawn()) {
            streams.endRest(stream);
        }
        toWake(input);
    }

    /** What has come of the connection's window is granted again when it is half of it. */
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
        streams.peerEnded(stream); // as with DATA
        if (input.end(fields)) {
            toWake(input);
        } else {
            fault(stream, Fault.PROTOCOL, "a body that is shorter than its Content-Length");
        }
    }

    // ---- ends of streams

    @Override
    public void fault(int id, Fault fault, String why) throws ConnectionFault {
        events++;
        MuxStream stream = streams.find(id);
        if (stream != null) {
            fault(stream, fault, why);
        } else if (streams.isUnused(id)) {
            streams.refuseNew(id, fault);
        }
    }

    final void fault(MuxStream stream, Fault fault, String why) throws ConnectionFault {
        IOException cause = new StreamFault(fault, "the peer broke a rule: found " + why);
        toLose(stream, cause);
        streams.fault(stream, fault, cause);
    }

    /** The peer sends more than it ended. If our end came meanwhile, the stream can't be reset any more, and {@link #closed} holds. */
    final void afterEnd(MuxStream stream, String what) throws ConnectionFault {
        fault(stream, Fault.STREAM_CLOSED, what + " after the end of the stream");
        if (streams.howClosed(stream.id()) == StreamState.CLOSED) {
            closed(stream.id());
        }
    }

    /**
     * A frame for a stream that has ended: what may still be under way is ignored, and counted, as nobody knows how much that is; the rest
     * is not allowed (RFC 9113, 5.1).
     */
    final void closed(int id) throws ConnectionFault {
        StreamState how = streams.howClosed(id);
        if (how == null && (streams.hasForgotten() || streams.isUnused(id))) {
            streams.glitchUnlessEarned(); // one that we reset, most likely, or that came too late
            return;
        }
        if (how == null) {
            throw new ConnectionFault(Fault.PROTOCOL, "a frame for a stream that was passed over");
        }
        switch (how) {
            case RESET_BY_US -> streams.glitchUnlessEarned(); // the peer did not know
            case RESET_BY_PEER -> streams.refuse(id, Fault.STREAM_CLOSED);
            default -> throw new ConnectionFault(Fault.STREAM_CLOSED, "a frame for a stream that both have ended");
        }
    }

    @Override
    public void reset(int id, Fault fault) throws ConnectionFault {
        events++;
        requireUsed(id, "a reset");
        MuxStream stream = streams.find(id);
        if (stream != null) {
            IOException why = new StreamResetException(fault.reason(), "the peer reset the stream: " + fault);
            toLose(stream, why);
            streams.peerReset(stream, why);
        } else {
            streams.glitchUnlessEarned(); // it may have ended meanwhile
        }
    }

    final void requireUsed(int id, String what) throws ConnectionFault {
        if (streams.isUnused(id) && connection.shutdown().state().isServing()) {
            throw new ConnectionFault(Fault.PROTOCOL, what + " for a stream that was not opened");
        }
    }

    final void toLose(MuxStream stream, Throwable why) {
        lost.add(stream);
        causes.add(why);
    }

    // ---- the connection

    @Override
    public void credit(int id, int increment) throws ConnectionFault {
        events++;
        if (id != 0) {
            requireUsed(id, "an opened window");
        }
        streams.glitchUnlessEarned();
        if (increment > 0 && id == 0) {
            output.credit(increment);
        } else if (id == 0) {
            throw new ConnectionFault(Fault.PROTOCOL, "a connection window opened by 0");
        } else if (increment <= 0) {
            fault(id, Fault.PROTOCOL, "a window opened by 0");
        } else if (!streams.credit(id, increment)) {
            fault(id, Fault.FLOW_CONTROL, "a window of more than 2147483647");
        }
    }

    @Override
    public void settings(PeerSettings settings) throws ConnectionFault {
        events++;
        streams.glitch();
        streams.apply(settings);
    }

    @Override
    public void settingsAcknowledged() throws ConnectionFault {
        events++;
        streams.glitch();
    }

    @Override
    public void ping(long payload, boolean ack) throws ConnectionFault {
        events++;
        if (!ack) {
            streams.glitchUnlessEarned();
            output.ping(payload);
        } else if (payload == MuxShutdown.DRAIN_PING && connection.shutdown().state() == MuxState.DRAINING) {
            connection.shutdown().last();
        } else {
            streams.glitch();
        }
    }

    @Override
    public void glitch() throws ConnectionFault {
        events++;
        streams.glitch();
    }

    // ---- after a read

    private void toWake(StreamInput input) {
        if (!input.isToWake) {
            input.isToWake = true;
            input.nextToWake = firstToWake;
            firstToWake = input;
        }
    }

    /** Tells those whom the read concerns. */
    void tell() {
        StreamInput next = firstToWake;
        firstToWake = null;
        while (next != null) {
            StreamInput input = next;
            next = input.nextToWake;
            input.nextToWake = null;
            input.isToWake = false;
            try {
                input.wake();
            } catch (Throwable error) { // the others are told all the same
                connection.failed(error);
            }
        }
        for (int i = 0; i < lost.size(); i++) {
            streams.lose(lost.get(i), causes.get(i));
        }
        lost.clear();
        causes.clear();
        output.tell();
    }
}
