package io.millrace.websocket;

import io.millrace.http.Headers;
import java.io.IOException;

/** A server did not make a WebSocket of the connection: it answered otherwise, or wrongly. */
public final class WebSocketHandshakeException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient Headers fields;

    /** With what the server answered. */
    public WebSocketHandshakeException(String message, int status, Headers fields) {
        super(message);
        this.status = status;
        this.fields = fields;
    }

    /** The response's status: 101 if the server agreed but its response breaks the protocol. */
    public int status() {
        return status;
    }

    /** The response's header fields: a challenge, or where to go instead. */
    public Headers fields() {
        return fields;
    }
}
