package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;

/** Asks an address filter before the next handler does anything. */
final class AddressFilterHandler implements NonBlockingHandler {

    private final AddressFilter filter;
    private final HttpHandler next;
    /** A plain handler, so that no thread of a transport waits for the name service. */
    private final HttpHandler byName;

    AddressFilterHandler(AddressFilter filter, HttpHandler next) {
        this.filter = filter;
        this.next = next;
        byName = exchange -> decide(exchange, true);
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        if (filter.byName().test(exchange)) {
            exchange.dispatch(byName);
        } else {
            decide(exchange, false);
        }
    }

    private void decide(HttpExchange exchange, boolean named) throws Exception {
        if (filter.admits(exchange, named)) {
            Route.follow(exchange, next);
        } else {
            Responses.error(exchange, filter.denyStatus());
        }
    }
}
