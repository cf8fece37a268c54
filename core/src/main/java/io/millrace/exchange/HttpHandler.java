package io.millrace.exchange;

import java.util.concurrent.Executor;

/**
 * Handles requests. A handler may block, and is called on a worker thread, unless it is a {@link NonBlockingHandler},
 * which is called on the connection's thread.
 */
@FunctionalInterface
public interface HttpHandler {

    /**
     * Handles an exchange: responds, {@linkplain HttpExchange#dispatch dispatches it to another handler}, or {@linkplain
     * HttpExchange#suspend suspends it}. If it does neither of the latter, the response ends when it returns: buffered
     * bytes are sent, and a response without a body is sent as an empty one.
     *
     * @throws Exception any exception; the response is 500 if it is not committed yet, otherwise the exchange is aborted
     */
    void handle(HttpExchange exchange) throws Exception;

    /**
     * This handler, run on an executor instead of a worker or the connection's thread. If the executor rejects it, the
     * response is 503.
     */
    default HttpHandler on(Executor executor) {
        return new HandlerOnExecutor(executor, this);
    }
}
