package io.millrace.websocket;

import java.io.IOException;

/** The peer violated the protocol or a limit, and the connection was closed with this code. */
public final class WebSocketException extends IOException {

    private static final long serialVersionUID = 1;

    private final int code;

    WebSocketException(int code, String message) {
        super(message, null);
        this.code = code;
    }

    /** The close code that was sent to the peer (RFC 6455, 7.4.1). */
    public int code() {
        return code;
    }

    /** Without a stack trace: the cause is the peer's behaviour, not this code. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
