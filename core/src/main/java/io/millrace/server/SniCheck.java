package io.millrace.server;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Responses;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Rejects requests for another host than the one in the TLS handshake (421; RFC 9110, 15.5.20). Otherwise a client could
 * name a host in the handshake that requires no client certificate, and in its request one that does.
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
        TlsHost agreed = hostOf(serverName(exchange.channel().info().tlsSession()));
        if (hostOf(hostName(exchange.request().authority())) != agreed) {
            Responses.error(exchange, MISDIRECTED);
        } else if (next instanceof NonBlockingHandler) {
            next.handle(exchange);
        } else {
            exchange.dispatch(next);
        }
    }

    private TlsHost hostOf(@Nullable String name) {
        return name == null ? options.defaultHost() : options.host(name);
    }

    private static @Nullable String serverName(@Nullable SSLSession session) {
        List<SNIServerName> names =
                session instanceof ExtendedSSLSession extended ? extended.getRequestedServerNames() : List.of();
        return names.stream()
                .filter(SNIHostName.class::isInstance)
                .map(name -> ((SNIHostName) name).getAsciiName())
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String hostName(@Nullable String authority) {
        if (authority == null) {
            return null;
        }
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    }
}
