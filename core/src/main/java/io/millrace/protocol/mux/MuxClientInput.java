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

/** What a server says: responses to our requests. It opens no streams, as we do not allow pushed responses. */
final class MuxClientInput extends MuxInput {

    /** More interim responses than any server has reason for. */
    private static final int MOST_INTERIM = 16;

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
        synchronized (output) {
            return stream.isPeerOpen();
        }
    }

    @Override
    public void interim(int id, int status, Headers fields) throws ConnectionFault {
        if (!(streams.find(id) instanceof MuxClientStream stream)) {
            return; // ended meanwhile
        }
        if (status == Status.SWITCHING_PROTOCOLS) {
            fault(stream, Fault.PROTOCOL, "status 101, which streams do not have");
        } else if (stream.countInterim() > MOST_INTERIM) {
            fault(stream, Fault.PROTOCOL, "more than " + MOST_INTERIM + " interim responses");
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
            fault(stream, Fault.PROTOCOL, "a response without a body that announces one");
            return;
        }
        StreamInput input = stream.in();
        if (input == null) {
            throw new IllegalStateException("a request without a response");
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

    /** A server does not say what it wants first. */
    @Override
    public void priority(int id, Priority priority) throws ConnectionFault {
        glitch();
    }

    /** Those behind the last are not served, and may be repeated. */
    @Override
    public void goAway(int lastId, Fault fault) throws ConnectionFault {
        count();
        streams.glitch();
        connection.shutdown().last();
        List<MuxStream> unserved = new ArrayList<>();
        synchronized (output) {
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
                            "the server is closing the connection, and has not served the request",
                            null));
        }
    }
}
