package io.millrace.http1;

import io.millrace.client.ClientRequest;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Encodes a client's request (RFC 9112, 3 and 6). Confined to the sending thread. */
final class RequestWriter {

    private static final byte[] CHUNKED = Octets.ascii("Transfer-Encoding: chunked\r\n");
    private static final byte[] CHUNK_END = Octets.ascii("\r\n");
    private static final byte[] LAST_CHUNK = Octets.ascii("0\r\n\r\n");
    private static final byte[] CHUNK_END_AND_LAST = Octets.ascii("\r\n0\r\n\r\n");
    private static final int OWN_FIELDS = 96;

    private final ClientRequest request;
    private long left;
    private @Nullable Headers trailers;

    RequestWriter(ClientRequest request) {
        this.request = request;
        left = request.contentLength();
    }

    ByteBuffer head() {
        Headers fields = request.headers();
        HeadEncoder encoder = new HeadEncoder(OWN_FIELDS + request.target().length() + HeadEncoder.size(fields));
        encoder.requestLine(request.method(), request.target());
        for (int i = 0; i < fields.size(); i++) {
            encoder.field(fields.name(i), fields.value(i));
        }
        String upgrade = request.upgrade();
        boolean takesTrailers = fields.contains("TE");
        if (upgrade != null) {
            encoder.field("Connection", takesTrailers ? "Upgrade, TE" : "Upgrade");
            encoder.field("Upgrade", upgrade);
        } else if (takesTrailers) {
            encoder.field("Connection", "TE"); // RFC 9110, 10.1.4
        }
        if (request.contentLength() < 0) {
            encoder.octets(CHUNKED);
        } else if (request.hasBody() || Method.announcesNothing(request.method())) {
            encoder.contentLength(request.contentLength());
        }
        return encoder.end();
    }

    void trailers(Headers fields) {
        trailers = fields;
    }

    Payload body(ByteBuffer piece, boolean last) {
        if (request.contentLength() >= 0) {
            left -= piece.remaining();
            if (left < 0 || last && left > 0) {
                throw new IllegalStateException("the length of the request's body differs from its Content-Length");
            }
            return Payload.of(piece);
        }
        if (!piece.hasRemaining()) {
            return last ? Payload.of(end(new byte[0], LAST_CHUNK)) : Payload.NOTHING;
        }
        ByteBuffer size = ByteBuffer.wrap(Octets.ascii(Integer.toHexString(piece.remaining()) + "\r\n"));
        ByteBuffer after = last ? end(CHUNK_END, CHUNK_END_AND_LAST) : ByteBuffer.wrap(CHUNK_END);
        return new Payload.Bytes(size, piece, after);
    }

    /** The end of the body: with the trailers after {@code before}, or {@code withoutTrailers} if there are none. */
    private ByteBuffer end(byte[] before, byte[] withoutTrailers) {
        return trailers == null ? ByteBuffer.wrap(withoutTrailers) : Trailers.encode(before, trailers);
    }
}
