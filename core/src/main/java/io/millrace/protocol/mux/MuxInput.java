package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Payload;
import io.millrace.protocol.RefusedRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
final class MuxInput implements FrameSink {

    private final MuxConnection connection;
    private final MuxOutput output;

    /** Of the connection's window: what has come and was not granted again. */
    private int received;

    private @Nullable StreamInput firstToWake;
    private final List<MuxStream> lost = new ArrayList<>(0);
    private final List<Throwable> causes = new ArrayList<>(0);

    /** How many events there were: a frame that takes long is one between whose octets there are none. */
    private int events;

    MuxInput(MuxConnection connection, MuxOutput output) {
        this.connection = connection;
        this.output = output;
    }

    int events() {
        return events;
    }

    // ---- requests

    @Override
    public HeadersKind headers(int id, boolean end) throws ConnectionFault {
        events++;
        requireOdd(id);
        MuxStream stream = output.find(id);
        if (stream != null) {
            return headersOf(stream);
        }
        if (output.isUnused(id)) {
            return output.state().isServing() ? HeadersKind.REQUEST : HeadersKind.IGNORED;
        }
        closed(id);
        return HeadersKind.IGNORED;
    }

    private HeadersKind headersOf(MuxStream stream) throws ConnectionFault {
        boolean open;
        synchronized (output) {
            open = stream.isPeerOpen();
        }
        if (!open) {
            fault(stream, Fault.STREAM_CLOSED, "a header block after the end of the stream");
            return HeadersKind.IGNORED;
        }
        return HeadersKind.TRAILERS;
    }

    private static void requireOdd(int id) throws ConnectionFault {
        if ((id & 1) == 0) {
            throw new ConnectionFault(Fault.PROTOCOL, "a frame for stream " + id + ", which only a server may open");
        }
    }

    @Override
    public void request(int id, RequestHead head, @Nullable Priority priority, boolean end) throws ConnectionFault {
        MuxStream stream = output.open(new MuxStream.Opening(id, head, head.method(), priority, end, false));
        if (stream != null && end && head.contentLength() > 0) {
            fault(stream, Fault.PROTOCOL, "a request without a body that announces one");
            connection.output().end(stream);
        } else if (stream != null) {
            admit(head, stream);
        }
    }

    @Override
    public void connect(int id, RequestHead head, @Nullable Priority priority) throws ConnectionFault {
        MuxStream stream = output.open(new MuxStream.Opening(id, head, head.method(), priority, false, true));
        if (stream != null) {
            admit(head, stream);
        }
    }

    private void admit(RequestHead head, MuxStream stream) throws ConnectionFault {
        switch (output.verdict()) {
            case FINE -> connection.dispatcher().dispatch(head, stream);
            case SLOW -> connection.park(head, stream);
            case STOP -> throw new ConnectionFault(Fault.CALM, "too many streams reset");
        }
    }

    @Override
    public void refused(int id, int status, String found, @Nullable String line, boolean end) throws ConnectionFault {
        String method = line == null ? "" : line.substring(0, Math.max(0, line.indexOf(' ')));
        MuxStream stream = output.open(new MuxStream.Opening(id, null, method, null, end, false));
        if (stream == null) {
            return;
        }
        ResponseHead head = new ResponseHead().status(status);
        head.headers().add("Content-Type", "text/plain;charset=US-ASCII");
        String text = status + " " + Status.reason(status) + ": found " + found + ".\n";
        ByteBuffer body = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        stream.discard();
        connection
                .dispatcher()
                .refused(new RefusedRequest(
                        status, found, line, connection.channel().info()));
        stream.send(head, Payload.of(body), true, failure -> {
            if (failure == null) {
                stream.end();
            } else {
                stream.abort(failure);
            }
        });
    }

    // ---- bodies

    @Override
    public void data(int id, ByteBuffer from, int length, int flowLength, boolean end) throws ConnectionFault {
        events++;
        int after = from.position() + length;
        count(flowLength);
        MuxStream stream = output.find(id);
        if (stream == null) {
            from.position(after);
            requireOdd(id);
            if (!output.isUnused(id)) {
                closed(id);
            } else if (output.state().isServing()) {
                throw new ConnectionFault(Fault.PROTOCOL, "DATA for a stream that was not opened");
            }
            return;
        }
        if (length == 0 && !end) {
            output.glitch();
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
            fault(stream, Fault.STREAM_CLOSED, "DATA after the end of the stream");
            return;
        }
        if (end) {
            output.peerEnded(stream); // before anybody can read the end, and end the exchange
        }
        Fault broken;
        try {
            broken = input.push(from, length, flowLength, end);
        } catch (IOException noBuffer) {
            toLose(stream, noBuffer);
            output.fault(stream, Fault.INTERNAL, noBuffer);
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
        toWake(input);
    }

    /** What has come of the connection's window is granted again when it is half of it. */
    private void count(int flowLength) throws ConnectionFault {
        received += flowLength;
        int window = connection.context().options().connectionWindow();
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
        MuxStream stream = output.find(id);
        StreamInput input = stream == null ? null : stream.in();
        if (stream == null || input == null) {
            return; // ended meanwhile
        }
        output.peerEnded(stream); // as with DATA
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
        MuxStream stream = output.find(id);
        if (stream != null) {
            fault(stream, fault, why);
        } else if (output.isUnused(id)) {
            output.refuseNew(id, fault);
        }
    }

    private void fault(MuxStream stream, Fault fault, String why) throws ConnectionFault {
        IOException cause = new StreamFault(fault, "the client broke a rule: found " + why);
        toLose(stream, cause);
        output.fault(stream, fault, cause);
    }

    /** A frame for a stream that has ended: what may still be under way is ignored, the rest is not allowed (RFC 9113, 5.1). */
    private void closed(int id) throws ConnectionFault {
        StreamState how = output.howClosed(id);
        if (how == null && output.hasForgotten()) {
            output.glitch(); // one that we reset, most likely, and what was under way for it
            return;
        }
        if (how == null) {
            throw new ConnectionFault(Fault.PROTOCOL, "a frame for a stream that was passed over");
        }
        switch (how) {
            case RESET_BY_US -> {} // the peer did not know
            case RESET_BY_PEER -> output.refuse(id, Fault.STREAM_CLOSED);
            default -> throw new ConnectionFault(Fault.STREAM_CLOSED, "a frame for a stream that both have ended");
        }
    }

    @Override
    public void reset(int id, Fault fault) throws ConnectionFault {
        events++;
        requireOdd(id);
        requireUsed(id, "a reset");
        MuxStream stream = output.find(id);
        if (stream != null) {
            IOException why = MuxStream.resetByPeer(fault);
            toLose(stream, why);
            output.peerReset(stream, why);
        }
    }

    private void requireUsed(int id, String what) throws ConnectionFault {
        if (output.isUnused(id) && output.state().isServing()) {
            throw new ConnectionFault(Fault.PROTOCOL, what + " for a stream that was not opened");
        }
    }

    private void toLose(MuxStream stream, Throwable why) {
        lost.add(stream);
        causes.add(why);
    }

    /** The stream is lost by what the output found. */
    void toLose(MuxStream stream) {
        toLose(stream, new StreamFault(Fault.FLOW_CONTROL, "the client opened a window too far"));
    }

    // ---- the connection

    @Override
    public void credit(int id, int increment) throws ConnectionFault {
        events++;
        if (id != 0) {
            requireOdd(id);
            requireUsed(id, "an opened window");
        }
        if (increment > 0) {
            output.credit(id, increment);
            return;
        }
        if (id == 0) {
            throw new ConnectionFault(Fault.PROTOCOL, "a connection window opened by 0");
        }
        fault(id, Fault.PROTOCOL, "a window opened by 0");
    }

    @Override
    public void settings(PeerSettings settings) throws ConnectionFault {
        events++;
        output.glitch();
        output.apply(settings);
    }

    @Override
    public void settingsAcknowledged() {
        events++;
    }

    @Override
    public void ping(long payload, boolean ack) throws ConnectionFault {
        events++;
        if (!ack) {
            output.glitch();
            output.ping(payload);
        } else if (payload == MuxOutput.DRAIN_PING && output.state() == MuxState.DRAINING) {
            output.last();
        } else {
            output.glitch();
        }
    }

    @Override
    public void priority(int id, Priority priority) throws ConnectionFault {
        events++;
        output.glitch();
        MuxStream stream = output.find(id);
        if (stream != null) {
            output.prioritize(stream, priority);
        }
    }

    @Override
    public void goAway(int lastId, Fault fault) {
        events++;
        output.last();
    }

    @Override
    public void glitch() throws ConnectionFault {
        events++;
        output.glitch();
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
            output.lose(lost.get(i), causes.get(i));
        }
        lost.clear();
        causes.clear();
        output.tell();
    }
}
