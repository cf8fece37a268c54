package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;

/** Calls the next handler. */
final class Route {

    private Route() {}

    /** The last call of a non-blocking handler: calls a non-blocking handler directly, and dispatches any other to a worker. */
    static void follow(HttpExchange exchange, HttpHandler next) throws Exception {
        if (next instanceof NonBlockingHandler) {
            next.handle(exchange);
        } else {
            exchange.dispatch(next);
        }
    }
}
