package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.Authority;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Selects a handler by the request's host, ignoring case and port. An exact name takes precedence over a wildcard, which
 * matches one label, as in certificates and TLS hosts. If it matched more, names with more labels would be served without
 * the client certificates that the TLS host of the same wildcard requires.
 */
public final class HostRouter implements NonBlockingHandler {

    private final Map<String, HttpHandler> names;
    private final Map<String, HttpHandler> domains;
    private final HttpHandler otherwise;

    private HostRouter(Builder from) {
        names = Map.copyOf(from.names);
        domains = Map.copyOf(from.domains);
        otherwise = from.otherwise;
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        Route.follow(exchange, find(exchange.request().authority()));
    }

    HttpHandler find(@Nullable String authority) {
        String host = Authority.nameOf(authority);
        if (host == null) {
            return otherwise;
        }
        HttpHandler found = names.get(host);
        int dot = host.indexOf('.');
        if (found == null && dot >= 0) {
            found = domains.get(host.substring(dot + 1));
        }
        return found == null ? otherwise : found;
    }

    /** Configures the routes. */
    public static final class Builder {

        private final Map<String, HttpHandler> names = new HashMap<>();
        private final Map<String, HttpHandler> domains = new HashMap<>();
        private HttpHandler otherwise = Responses.NOT_FOUND;

        private Builder() {}

        /**
         * Routes requests for these names to the handler.
         *
         * @param name a host name; {@code *.example.org} matches all names with one label more
         * @throws IllegalArgumentException if another handler already has one of the names
         */
        public Builder host(HttpHandler handler, String name, String... aliases) {
            add(handler, name);
            for (String alias : aliases) {
                add(handler, alias);
            }
            return this;
        }

        /** Sets the handler of requests for all other names; without one they get a 404 response. */
        public Builder otherwise(HttpHandler handler) {
            otherwise = handler;
            return this;
        }

        public HostRouter build() {
            return new HostRouter(this);
        }

        private void add(HttpHandler handler, String name) {
            String key = Objects.requireNonNullElse(Authority.nameOf(name), "");
            boolean wildcard = key.startsWith("*.");
            HttpHandler other =
                    wildcard ? domains.putIfAbsent(key.substring(2), handler) : names.putIfAbsent(key, handler);
            if (other != null && !other.equals(handler)) {
                throw new IllegalArgumentException("Two hosts have the name \"" + name + "\"");
            }
        }
    }
}
