package io.millrace.forwarded;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.AccessLog;

/** Passes original requests, as before a front end relayed them, to the next handler. */
final class RelayHandler implements NonBlockingHandler {

    private final Relay relay;
    private final HttpHandler next;

    RelayHandler(Relay relay, HttpHandler next) {
        this.relay = relay;
        this.next = next;
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        RelayedRequest before =
                relay.before(exchange.request(), exchange.channel().info());
        if (before != null) {
            exchange.present(before.head(), before.connection(), exchange.input());
            if (relay.isLogged()) {
                exchange.attributes().put(AccessLog.RELAYED, true);
            }
        }
        if (next instanceof NonBlockingHandler) {
            next.handle(exchange);
        } else {
            exchange.dispatch(next);
        }
    }
}
