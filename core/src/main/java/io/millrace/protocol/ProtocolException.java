package io.millrace.protocol;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The client sent something that the server cannot process. Carries the response's status, and has no stack trace. */
public final class ProtocolException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final boolean forClient;

    /**
     * An exception whose message is logged, but not sent to the client.
     *
     * @param status a 4xx or 5xx status
     * @param message what was found and what was expected
     */
    public ProtocolException(int status, String message) {
        this(status, message, false);
    }

    private ProtocolException(int status, String message, boolean forClient) {
        super(message);
        this.status = status;
        this.forClient = forClient;
    }

    /** An exception whose message is also sent to the client; it must not repeat anything of the request. */
    public static ProtocolException explained(int status, String message) {
        return new ProtocolException(status, message, true);
    }

    /** The message for the client; null if there is none. */
    public @Nullable String explanation() {
        return forClient ? getMessage() : null;
    }

    /** The status of the response, if that has not begun. */
    public int status() {
        return status;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
