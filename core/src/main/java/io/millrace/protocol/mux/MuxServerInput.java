package io.millrace.protocol.mux;

import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Payload;
import io.millrace.protocol.RefusedRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The input from a client: requests and their priorities. */
final class MuxServerInput extends MuxInput {

    /** The maximum number of remembered priorities, which are only hints. */
    private static final int MAX_ANNOUNCED = 256;

    private final MuxServerConnection server;

    /** The priorities of streams that are not open yet; null if there are none. */
    private @Nullable NavigableMap<Integer, Priority> announced;

    MuxServerInput(MuxServerConnection server) {
        super(server);
        this.server = server;
    }

    // ---- requests

    @Override
    public HeadersKind headers(int id, boolean end) throws ConnectionFault {
        count();
        requireOdd(id);
        MuxStream stream = streams.find(id);
        if (stream != null) {
            return trailersOf(stream);
        }
        if (streams.isUnused(id) && connection.shutdown().state().isServing()) {
            return HeadersKind.REQUEST;
        }
        closed(id);
        return HeadersKind.IGNORED;
    }

    @Override
    void begin() throws ConnectionFault {
        MuxServerConnection.Upgrade upgrade = server.takeUpgrade();
        if (upgrade != null) {
            streams.adopt(upgrade.settings());
            first(upgrade.request(), upgrade.priority());
        }
    }

    /** The request that upgraded the connection: stream 1, whose request side is closed. */
    private void first(RequestHead head, @Nullable Priority priority) throws ConnectionFault {
        count();
        request(1, head, priority, true);
    }

    @Override
    public void request(int id, RequestHead head, @Nullable Priority priority, boolean end) throws ConnectionFault {
        Priority known = announced(id, priority);
        MuxServerStream stream = open(new MuxServerStream.Opening(id, head, head.method(), known, end, false));
        if (stream != null && end && head.contentLength() > 0) {
            String found = "a request with a Content-Length, but without a body";
            record(Status.BAD_REQUEST, found, head.method() + " " + head.target() + " " + head.version());
            fault(stream, Fault.PROTOCOL, found);
            streams.end(stream);
        } else if (stream != null) {
            admit(head, stream);
        }
    }

    @Override
    public void connect(int id, RequestHead head, @Nullable Priority priority) throws ConnectionFault {
        Priority known = announced(id, priority);
        MuxServerStream stream = open(new MuxServerStream.Opening(id, head, head.method(), known, false, true));
        if (stream != null) {
            admit(head, stream);
        }
    }

    /** Null if the stream was refused because of the limit, or ignored because of a shutdown. */
    private @Nullable MuxServerStream open(MuxServerStream.Opening opening) throws ConnectionFault {
        synchronized (lock) {
            if (!connection.shutdown().state().isServing()) {
                return null;
            }
            if (streams.isAtLimit(connection.context().options().get(MuxOptions.MAX_CONCURRENT_STREAMS))) {
                streams.refuseNew(opening.id(), Fault.REFUSED);
                return null;
            }
            MuxServerStream stream = new MuxServerStream(server, opening, streams.initialWindow());
            streams.open(stream);
            return stream;
        }
    }

    private void admit(RequestHead head, MuxServerStream stream) throws ConnectionFault {
        switch (streams.verdict()) {
            case FINE -> server.dispatcher().dispatch(head, stream);
            case SLOW -> server.delay(head, stream);
            case STOP -> throw new ConnectionFault(Fault.ENHANCE_YOUR_CALM, "too many streams reset");
        }
    }

    /** Accounted for like a request that is rejected with 400, although its stream is reset. */
    @Override
    public void malformed(int id, String found, @Nullable String line) throws ConnectionFault {
        record(Status.BAD_REQUEST, found, line);
        fault(id, Fault.PROTOCOL, found);
    }

    private void record(int status, String found, @Nullable String line) {
        server.dispatcher()
                .refused(new RefusedRequest(
                        status, found, line, connection.channel().info()));
    }

    @Override
    public void refused(int id, int status, String found, @Nullable String line, boolean end) throws ConnectionFault {
        String method = line == null ? "" : line.substring(0, Math.max(0, line.indexOf(' ')));
        MuxServerStream stream = open(new MuxServerStream.Opening(id, null, method, null, end, false));
        if (stream == null) {
            return;
        }
        ResponseHead head = new ResponseHead().status(status);
        head.headers().add("Content-Type", "text/plain;charset=US-ASCII");
        String text = status + " " + Status.reason(status) + ": found " + found + ".\n";
        ByteBuffer body = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        stream.discard();
        record(status, found, line);
        stream.send(head, Payload.of(body), true, failure -> {
            if (failure == null) {
                stream.end();
            } else {
                stream.abort(failure);
            }
        });
    }

    @Override
    public void priority(int id, Priority priority) throws ConnectionFault {
        count();
        if ((id & 1) == 0) {
            requireUsed(id, "a priority");
        }
        streams.glitch();
        MuxStream stream = streams.find(id);
        if (stream != null) {
            output.prioritize(stream, priority);
        } else if (streams.isUnused(id)) {
            announce(id, priority);
        }
    }

    /** Remembers the priority of a stream that is not open yet, for as many as may be open (RFC 9218, 7.1). */
    private void announce(int id, Priority priority) {
        NavigableMap<Integer, Priority> known = announced;
        if (known == null) {
            known = new TreeMap<>();
            announced = known;
        }
        int max = Math.min(MAX_ANNOUNCED, connection.context().options().get(MuxOptions.MAX_CONCURRENT_STREAMS));
        if (known.size() < max || known.containsKey(id)) {
            known.put(id, priority);
        }
    }

    /** A priority that was sent before the request takes precedence over the request's own (RFC 9218, 7). */
    private @Nullable Priority announced(int id, @Nullable Priority priority) {
        NavigableMap<Integer, Priority> known = announced;
        if (known == null) {
            return priority;
        }
        Priority first = known.get(id);
        known.headMap(id, true).clear(); // lower ids are skipped
        announced = known.isEmpty() ? null : known;
        return first == null ? priority : first;
    }

    @Override
    public void goAway(int lastId, Fault fault) throws ConnectionFault {
        count();
        streams.glitch();
        connection.shutdown().peerLeaves();
    }
}
