package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;

/** Applies an address filter before calling the next handler. */
final class AddressFilterHandler implements NonBlockingHandler {

    private final AddressFilter filter;
    private final HttpHandler next;
    /** Not a NonBlockingHandler, so that no I/O thread waits for a name lookup. */
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
