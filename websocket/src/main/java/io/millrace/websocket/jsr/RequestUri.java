package io.millrace.websocket.jsr;

import io.millrace.http.RequestHead;
import java.net.URI;

/** Builds the URI of a client's request. */
final class RequestUri {

    private RequestUri() {}

    /**
     * The URI with the scheme {@code ws} or {@code wss}, and with the query.
     *
     * @throws IllegalStateException if the client's path or query is not valid in a URI
     */
    static URI of(RequestHead request) {
        StringBuilder uri = new StringBuilder();
        if (request.authority() != null) {
            uri.append(request.scheme().equals("https") ? "wss://" : "ws://").append(request.authority());
        }
        uri.append(request.path().raw());
        if (request.query() != null) {
            uri.append('?').append(request.query());
        }
        try {
            return URI.create(uri.toString());
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("the path or query of the handshake is not valid in a URI (RFC 3986)", e);
        }
    }
}
