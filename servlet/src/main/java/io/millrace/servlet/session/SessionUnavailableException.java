package io.millrace.servlet.session;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The session store does not answer, so that a request cannot have its session, or a session cannot be ended on all servers. If
 * the application does not catch it, the response is 503 with {@code Retry-After}.
 */
public final class SessionUnavailableException extends UncheckedIOException {

    /** When a client should repeat its request, in seconds: the store is asked every second whether it answers again. */
    public static final int RETRY_AFTER_SECONDS = 2;

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message for the application: what is not known, or has not happened
     * @param cause the store's failure
     */
    public SessionUnavailableException(String message, IOException cause) {
        super(message, cause);
    }
}
