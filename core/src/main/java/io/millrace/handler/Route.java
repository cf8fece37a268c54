package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;

/** The way from one handler to the next. */
final class Route {

    static final NonBlockingHandler NOT_FOUND = exchange -> Responses.error(exchange, 404);

    private Route() {}

    /** The last act of a non-blocking handler: a non-blocking successor runs at once, any other where it belongs. */
    static void follow(HttpExchange exchange, HttpHandler next) throws Exception {
        if (next instanceof NonBlockingHandler) {
            next.handle(exchange);
        } else {
            exchange.dispatch(next);
        }
    }
}
