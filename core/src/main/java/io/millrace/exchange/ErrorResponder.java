package io.millrace.exchange;

import io.millrace.io.Payload;
import org.jspecify.annotations.Nullable;

/** Writes the bodies of error responses, for requests that failed before the response was committed. */
@FunctionalInterface
public interface ErrorResponder {

    /**
     * The body of an uncommitted response whose status is set and whose header fields are cleared. It may add fields
     * such as {@code Content-Type}; the caller sets the content length. Called on the thread on which the exchange
     * ended; must not block.
     *
     * @param failure the exception of the handler; null if none was thrown (for example, if no worker was available).
     *     Must not be shown to the client
     */
    Payload body(HttpExchange exchange, int status, @Nullable Throwable failure);
}
