package io.millrace.exchange;

import io.millrace.io.Payload;
import org.jspecify.annotations.Nullable;

/** Writes the bodies of responses to requests that failed before anything was sent. */
@FunctionalInterface
public interface ErrorResponder {

    /**
     * The body for an uncommitted response whose status is set and whose header fields are cleared; it may add fields,
     * {@code Content-Type} for one. Its length is announced by the caller. Called on whatever thread the exchange ended
     * on, which must not block.
     *
     * @param failure what the handler threw; null if the failure is not its own (no worker was free). Not for the
     *     client's eyes
     */
    Payload body(HttpExchange exchange, int status, @Nullable Throwable failure);
}
