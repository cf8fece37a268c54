package io.millrace.exchange;

import java.util.concurrent.Executor;

/** A handler that runs on an executor of its own ({@link HttpHandler#on}). */
record HandlerOnExecutor(Executor executor, HttpHandler handler) implements HttpHandler {

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        handler.handle(exchange);
    }
}
