package io.millrace.protocol;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The client is wrong: what it sent cannot be served. Carries the status to answer, and no stack trace. */
public final class ProtocolException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final boolean forClient;

    /**
     * A refusal.
     *
     * @param status a 4xx or 5xx status
     * @param message what was found and what was expected, for a log line
     */
    public ProtocolException(int status, String message) {
        this(status, message, false);
    }

    private ProtocolException(int status, String message, boolean forClient) {
        super(message);
        this.status = status;
        this.forClient = forClient;
    }

    /** The same, with a message that the client may read as well: it repeats nothing of the request. */
    public static ProtocolException explained(int status, String message) {
        return new ProtocolException(status, message, true);
    }

    /** A message for the client, beside the status; null for none. */
    public @Nullable String explanation() {
        return forClient ? getMessage() : null;
    }

    /** The status to answer, if the response has not begun. */
    public int status() {
        return status;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
