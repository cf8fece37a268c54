package io.millrace.forwarded;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.RequestId;
import io.millrace.handler.AccessLog;
import io.millrace.handler.Route;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** Restores what a request was before a front end relayed it. Thread-safe; never blocks. */
@FunctionalInterface
public interface Relay {

    /**
     * The original request; null if the received one is used, because it was not relayed or the relay is not trusted.
     *
     * @param head as received; neither it nor its header fields may be modified: use a {@linkplain
     *     io.millrace.http.Headers#copy copy}
     * @param connection as received
     */
    @Nullable
    RelayedRequest before(RequestHead head, ConnectionInfo connection);

    /** Whether an access log may show the original request; whether it does is configured at the log. */
    default boolean isLogged() {
        return false;
    }

    /**
     * Whether the ids in a request are those of a trusted front end.
     *
     * @param connection as received
     */
    default boolean trustsIds(ConnectionInfo connection) {
        return false;
    }

    /** A handler that passes original requests to another one. */
    default HttpHandler wrap(HttpHandler next) {
        return (NonBlockingHandler) exchange -> {
            RelayedRequest before =
                    before(exchange.request(), exchange.channel().info());
            RequestId id = RequestId.of(exchange);
            if (id != null && trustsIds(exchange.channel().info())) {
                id.take(exchange.request().headers());
            }
            if (before != null) {
                exchange.present(before.head(), before.connection(), exchange.input());
                if (isLogged()) {
                    exchange.attributes().put(AccessLog.RELAYED, true);
                }
            }
            Route.follow(exchange, next);
        };
    }
}
