package io.millrace.protocol;

import java.io.IOException;

/** The client is wrong: what it sent cannot be served. Carries the status to answer, and no stack trace. */
public final class ProtocolException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * A refusal.
     *
     * @param status a 4xx or 5xx status
     * @param message what was found and what was expected, for a log line
     */
    public ProtocolException(int status, String message) {
        super(message);
        this.status = status;
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
