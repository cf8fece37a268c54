package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;

/** Passes an exchange on to the next handler. */
public final class Route {

    private Route() {}

    /**
     * Calls a {@link NonBlockingHandler} directly, and dispatches any other to a worker. Must be the last call of a handler on its
     * exchange; the handler itself may be a non-blocking one.
     */
    public static void follow(HttpExchange exchange, HttpHandler next) throws Exception {
        if (next instanceof NonBlockingHandler) {
            next.handle(exchange);
        } else {
            exchange.dispatch(next);
        }
    }
}
