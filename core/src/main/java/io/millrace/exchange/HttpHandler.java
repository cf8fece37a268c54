package io.millrace.exchange;

import java.util.concurrent.Executor;

/**
 * Answers requests. A plain handler may block: it is called on a worker thread. One that never blocks says so by being a
 * {@link NonBlockingHandler} and is called on the connection's thread.
 */
@FunctionalInterface
public interface HttpHandler {

    /**
     * Handles the exchange: answers it, {@linkplain HttpExchange#dispatch passes it on}, or {@linkplain
     * HttpExchange#suspend suspends it}. When it returns having done neither of the latter, the response is over: what was
     * not sent is sent, and an uncommitted, untouched response is empty.
     *
     * @throws Exception anything; answered with 500 if the response is uncommitted, otherwise the exchange is aborted
     */
    void handle(HttpExchange exchange) throws Exception;

    /**
     * This handler on the threads of an executor instead of a worker or the connection's thread. A request is answered with
     * 503 if the executor rejects it.
     */
    default HttpHandler on(Executor executor) {
        return new HandlerOnExecutor(executor, this);
    }
}
