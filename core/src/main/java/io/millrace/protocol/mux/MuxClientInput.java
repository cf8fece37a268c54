package io.millrace.protocol.mux;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.protocol.ResetReason;
import java.util.ArrayList;
import java.util.List;

/** The input from a server: responses to our requests. Servers open no streams, since push is disabled. */
final class MuxClientInput extends MuxInput {

    private final MuxClientConnection client;

    MuxClientInput(MuxClientConnection client) {
        super(client);
        this.client = client;
    }

    @Override
    void begin() {}

    // ---- responses

    @Override
    public HeadersKind headers(int id, boolean end) throws ConnectionFault {
        count();
        requireOdd(id);
        MuxStream stream = streams.find(id);
        if (stream != null) {
            return stream.mayHaveBody() || !isOpen(stream) ? trailersOf(stream) : HeadersKind.RESPONSE;
        }
        if (streams.isUnused(id)) {
            throw new ConnectionFault(Fault.PROTOCOL, "a response on stream " + id + ", which was not opened");
        }
        closed(id);
        return HeadersKind.IGNORED;
    }

    private boolean isOpen(MuxStream stream) {
        synchronized (lock) {
            return stream.isPeerOpen();
        }
    }

    @Override
    public void interim(int id, int status, Headers fields) throws ConnectionFault {
        if (!(streams.find(id) instanceof MuxClientStream stream)) {
            return; // ended meanwhile
        }
        if (status == Status.SWITCHING_PROTOCOLS) {
            fault(stream, Fault.PROTOCOL, "status 101, which is not allowed on streams");
        } else if (!stream.mayInform()) {
            fault(stream, Fault.PROTOCOL, "too many interim responses");
        } else {
            stream.inform(status, fields);
        }
    }

    @Override
    public void response(int id, ResponseHead head, boolean end) throws ConnectionFault {
        if (!(streams.find(id) instanceof MuxClientStream stream)) {
            return; // ended meanwhile
        }
        long length = stream.bodyLength(head);
        if (end && length > 0) {
            fault(stream, Fault.PROTOCOL, "a response with a Content-Length, but without a body");
            return;
        }
        StreamInput input = stream.in();
        if (input == null) {
            throw new IllegalStateException("the stream has no input");
        }
        input.announce(length);
        if (end) {
            streams.peerEnded(stream);
            input.end(null);
        }
        stream.answer(head);
    }

    // ---- the connection

    @Override
    public void settings(PeerSettings settings) throws ConnectionFault {
        super.settings(settings);
        client.allow(settings);
    }

    /** A server sends no priorities. */
    @Override
    public void priority(int id, Priority priority) throws ConnectionFault {
        glitch();
    }

    /** Requests above the last id are not processed, and may be sent again. */
    @Override
    public void goAway(int lastId, Fault fault) throws ConnectionFault {
        count();
        streams.glitch();
        connection.shutdown().last();
        List<MuxStream> unserved = new ArrayList<>();
        synchronized (lock) {
            for (MuxStream each : streams.all()) {
                if (each.id() > lastId) {
                    unserved.add(each);
                }
            }
        }
        for (MuxStream each : unserved) {
            streams.abort(
                    each,
                    ResetReason.CANCEL,
                    new ClientException(
                            Reason.REFUSED,
                            Processed.NO,
                            "the server is closing the connection, and has not processed the request",
                            null));
        }
    }
}
