package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import java.util.HashMap;
import java.util.Map;

/**
 * Chooses a handler by path: an exact path wins over a prefix, a longer prefix over a shorter one. A prefix matches whole
 * segments: {@code /shop} matches {@code /shop} and {@code /shop/cart}, not {@code /shopping}. Paths are compared as
 * decoded and normalised. Routers nest: a handler below a prefix asks {@link #below} for its part of the path.
 */
public final class PathRouter implements NonBlockingHandler {

    /** How much of the decoded path the routers passed so far have matched. */
    private static final AttributeKey<Integer> MATCHED = AttributeKey.of("matched path", Integer.class);

    private final Map<String, MethodTable> exact;
    private final Map<String, MethodTable> prefixes;
    private final int longestPrefix;
    private final HttpHandler otherwise;

    private PathRouter(Builder from) {
        exact = Map.copyOf(from.exact);
        prefixes = Map.copyOf(from.prefixes);
        longestPrefix =
                prefixes.keySet().stream().mapToInt(String::length).max().orElse(-1);
        otherwise = from.otherwise;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The part of the request's path below the prefixes matched so far; empty, or begins with a slash. */
    public static String below(HttpExchange exchange) {
        Integer matched = exchange.attributes().get(MATCHED);
        String path = exchange.request().path().decoded();
        return matched == null ? path : path.substring(matched);
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        String path = below(exchange);
        MethodTable found = exact.get(path);
        if (found != null) {
            found.handle(exchange);
            return;
        }
        int end = longestMatch(path);
        if (end < 0) {
            Route.follow(exchange, otherwise);
            return;
        }
        if (end > 0) {
            int before = exchange.request().path().decoded().length() - path.length();
            exchange.attributes().put(MATCHED, before + end);
        }
        MethodTable methods = prefixes.get(path.substring(0, end));
        if (methods != null) {
            methods.handle(exchange);
        }
    }

    /**
     * Where the longest prefix of the path ends; -1 if none matches. Nothing longer than the longest prefix is looked at,
     * so that a path of thousands of segments costs no more than another.
     */
    private int longestMatch(String path) {
        int end = path.length();
        while (end >= 0) {
            if (end <= longestPrefix && prefixes.containsKey(path.substring(0, end))) {
                return end;
            }
            end = end == 0 ? -1 : path.lastIndexOf('/', end - 1);
        }
        return -1;
    }

    /** Collects routes. */
    public static final class Builder {

        private final Map<String, MethodTable> exact = new HashMap<>();
        private final Map<String, MethodTable> prefixes = new HashMap<>();
        private HttpHandler otherwise = Route.NOT_FOUND;

        private Builder() {}

        /** Requests for exactly this path, whatever their method. */
        public Builder exact(String path, HttpHandler handler) {
            return add(exact, MethodTable.ANY, slashed(path), handler);
        }

        /** Requests for exactly this path with this method; other methods are answered with 405. */
        public Builder exact(String method, String path, HttpHandler handler) {
            return add(exact, method, slashed(path), handler);
        }

        /** Requests for this path and all below it; {@code ""} and {@code "/"} match every path. */
        public Builder prefix(String path, HttpHandler handler) {
            return add(prefixes, MethodTable.ANY, prefixed(path), handler);
        }

        /** The same for one method; other methods are answered with 405. */
        public Builder prefix(String method, String path, HttpHandler handler) {
            return add(prefixes, method, prefixed(path), handler);
        }

        /** Requests that match nothing else; without a handler for them they are answered with 404. */
        public Builder otherwise(HttpHandler handler) {
            otherwise = handler;
            return this;
        }

        public PathRouter build() {
            return new PathRouter(this);
        }

        private Builder add(Map<String, MethodTable> table, String method, String path, HttpHandler handler) {
            MethodTable before = table.getOrDefault(path, MethodTable.EMPTY);
            table.put(path, before.with(method, path, handler));
            return this;
        }

        private static String prefixed(String path) {
            String plain = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            return plain.isEmpty() ? plain : slashed(plain);
        }

        private static String slashed(String path) {
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException("path \"" + path + "\" must begin with a slash");
            }
            return path;
        }
    }
}
