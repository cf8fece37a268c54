package io.millrace.websocket;

import java.io.IOException;

/** The peer violated the protocol or a limit; the connection was closed with this status. */
public final class WebSocketException extends IOException {

    private static final long serialVersionUID = 1;

    private final int code;

    WebSocketException(int code, String message) {
        super(message, null);
        this.code = code;
    }

    /** The close code that the peer was sent (RFC 6455, 7.4.1). */
    public int code() {
        return code;
    }

    /** It says what a peer did, not where we found out. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
