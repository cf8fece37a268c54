package io.millrace.server;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Responses;
import io.millrace.handler.Route;
import io.millrace.http.Authority;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import org.jspecify.annotations.Nullable;

/**
 * Rejects requests for another host than the one in the TLS handshake (421; RFC 9110, 15.5.20). Otherwise a client could
 * name a host in the handshake that requires no client certificate, and in its request one that does. The name in the TLS session is
 * not evaluated: after a HelloRetryRequest, a client may send another one than that which selected the TLS host (RFC 8446, 4.1.2,
 * forbids it, and the JDK accepts it).
 */
public final class SniCheck implements NonBlockingHandler {

    private static final int MISDIRECTED = 421;

    private final TlsOptions options;
    private final HttpHandler next;

    private SniCheck(TlsOptions options, HttpHandler next) {
        this.options = options;
        this.next = next;
    }

    /** A handler with the check; the handler itself if there is nothing to check. */
    public static HttpHandler wrap(HttpHandler next, @Nullable TlsOptions options) {
        return options == null
                        || !options.get(TlsOptions.STRICT_SNI)
                        || options.hosts().size() == 1
                ? next
                : new SniCheck(options, next);
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        TlsHost agreed = hostOf(exchange.channel().info().tlsServerName());
        if (hostOf(Authority.hostOf(exchange.request().authority())) != agreed) {
            Responses.error(exchange, MISDIRECTED);
        } else {
            Route.follow(exchange, next);
        }
    }

    private TlsHost hostOf(@Nullable String name) {
        return name == null ? options.defaultHost() : options.host(name);
    }
}
