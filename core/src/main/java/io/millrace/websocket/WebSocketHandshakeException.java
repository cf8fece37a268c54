package io.millrace.websocket;

import io.millrace.http.Headers;
import java.io.IOException;

/** The server did not accept a WebSocket handshake, or its response was invalid. */
public final class WebSocketHandshakeException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient Headers fields;

    /** An exception for a response of the server. */
    public WebSocketHandshakeException(String message, int status, Headers fields) {
        super(message);
        this.status = status;
        this.fields = fields;
    }

    /** The status of the response; 101 if the server accepted, but its response violates the protocol. */
    public int status() {
        return status;
    }

    /** The header fields of the response: a challenge or a redirect location, for example. */
    public Headers fields() {
        return fields;
    }
}
