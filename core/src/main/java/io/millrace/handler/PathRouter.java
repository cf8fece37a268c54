package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Selects a handler by path: the route with the longest plain beginning. An exact path thus takes precedence over all others, a longer
 * prefix over a shorter one, and a {@linkplain PathTemplate template} over a prefix that is no longer than what it has before its first
 * parameter: {@code /orders/{id}} comes before {@code /orders}, and {@code /admin} before {@code /{section}/{page}}. A prefix matches whole segments: {@code /shop} matches {@code /shop} and {@code /shop/cart},
 * but not {@code /shopping}. Decoded and normalized paths are compared. Routers can be nested: a handler below a prefix gets its part of the path from
 * {@link #below}.
 */
public final class PathRouter implements NonBlockingHandler {

    /** The length of the decoded path that routers have matched so far. */
    private static final AttributeKey<Integer> MATCHED = AttributeKey.of("matched path", Integer.class);

    private final Map<String, MethodTable> exact;
    private final Templated[] templates;
    private final Map<String, MethodTable> prefixes;
    private final int longestPrefix;
    private final HttpHandler otherwise;

    private PathRouter(Builder from) {
        exact = Map.copyOf(from.exact);
        templates = from.templates.entrySet().stream()
                .map(each -> new Templated(each.getKey(), each.getValue()))
                .toArray(Templated[]::new);
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
        Integer matched = exchange.attribute(MATCHED);
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
        String prefix = longestMatch(path);
        int end = prefix == null ? -1 : prefix.length();
        for (Templated each : templates) { // of those that match, the first has the longest plain beginning
            Map<String, String> parameters = each.template().match(path);
            if (parameters != null && end > each.template().plainLength()) {
                break;
            }
            if (parameters != null) {
                PathTemplate.setParameters(exchange, parameters);
                each.methods().handle(exchange);
                return;
            }
        }
        if (prefix == null) {
            Route.follow(exchange, otherwise);
            return;
        }
        if (end > 0) {
            int before = exchange.request().path().decoded().length() - path.length();
            exchange.attributes().put(MATCHED, before + end);
        }
        MethodTable methods = prefixes.get(prefix);
        if (methods != null) {
            methods.handle(exchange);
        }
    }

    /**
     * The longest matching prefix; null if none matches. Skips what is longer than any prefix, which bounds the
     * cost of a path with thousands of segments.
     */
    private @Nullable String longestMatch(String path) {
        int end = path.length();
        while (end >= 0) {
            String prefix = end <= longestPrefix ? path.substring(0, end) : null;
            if (prefix != null && prefixes.containsKey(prefix)) {
                return prefix;
            }
            end = end == 0 ? -1 : path.lastIndexOf('/', end - 1);
        }
        return null;
    }

    private record Templated(PathTemplate template, MethodTable methods) {}

    /** Configures the routes. */
    public static final class Builder {

        private final Map<String, MethodTable> exact = new HashMap<>();
        private final Map<PathTemplate, MethodTable> templates = new TreeMap<>();
        private final Map<String, MethodTable> prefixes = new HashMap<>();
        private HttpHandler otherwise = Responses.NOT_FOUND;

        private Builder() {}

        /** Routes requests for exactly this path, with any method. */
        public Builder exact(String path, HttpHandler handler) {
            return add(exact, MethodTable.ANY, slashed(path), handler);
        }

        /** Routes requests for exactly this path with this method; other methods get a 405 response. */
        public Builder exact(String method, String path, HttpHandler handler) {
            return add(exact, method, slashed(path), handler);
        }

        /**
         * Routes requests for the paths of a template such as {@code /orders/{id}}, with any method; {@link
         * PathTemplate#parameters} has the values. Of two templates that match, the one with the earlier plain segment counts; a
         * prefix that is longer than the template's text before its first parameter comes before it.
         *
         * @throws IllegalArgumentException if it is malformed
         */
        public Builder template(String template, HttpHandler handler) {
            return template(MethodTable.ANY, template, handler);
        }

        /** Routes requests for the paths of a template with this method; other methods get a 405 response. */
        public Builder template(String method, String template, HttpHandler handler) {
            PathTemplate parsed = PathTemplate.parse(template);
            templates.keySet().stream()
                    .filter(known -> known.equals(parsed) && !known.toString().equals(template))
                    .forEach(known -> {
                        throw new IllegalArgumentException("the templates \"" + known + "\" and \"" + template
                                + "\" match the same paths; expected the same names of parameters in both");
                    });
            MethodTable before = templates.getOrDefault(parsed, MethodTable.EMPTY);
            templates.put(parsed, before.with(method, template, handler));
            return this;
        }

        /** Routes requests for this path and all paths below it; {@code ""} and {@code "/"} match every path. */
        public Builder prefix(String path, HttpHandler handler) {
            return add(prefixes, MethodTable.ANY, prefixed(path), handler);
        }

        /** Routes requests for this path and all paths below it with this method; other methods get a 405 response. */
        public Builder prefix(String method, String path, HttpHandler handler) {
            return add(prefixes, method, prefixed(path), handler);
        }

        /** Sets the handler of requests that match no route; without one they get a 404 response. */
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
                throw new IllegalArgumentException(
                        "the path is \"" + path + "\"; expected one that begins with a slash");
            }
            return path;
        }
    }

    /** The handlers of one path by method. HEAD is handled as GET; OPTIONS and 405 responses list the methods. Immutable. */
    private static final class MethodTable {

        static final String ANY = "";
        static final MethodTable EMPTY = new MethodTable(Map.of());

        private final Map<String, HttpHandler> byMethod;
        private final @Nullable HttpHandler any;
        private final String allow;

        private MethodTable(Map<String, HttpHandler> byMethod) {
            this.byMethod = byMethod;
            any = byMethod.get(ANY);
            allow = allow(byMethod);
        }

        /** The same table with another handler; {@code path} is for the error message if the method already has one. */
        MethodTable with(String method, String path, HttpHandler handler) {
            Map<String, HttpHandler> more = new TreeMap<>(byMethod);
            if (more.put(method, handler) != null) {
                throw new IllegalArgumentException(
                        "There are two handlers for " + (method.equals(ANY) ? "" : method + " ") + "\"" + path + "\"");
            }
            return new MethodTable(more);
        }

        void handle(HttpExchange exchange) throws Exception {
            String method = exchange.request().method();
            HttpHandler handler = any;
            if (byMethod.size() > 1 || any == null) {
                handler = byMethod.getOrDefault(method, any);
                if (handler == null && method.equals("HEAD")) {
                    handler = byMethod.get("GET");
                }
            }
            if (handler != null) {
                Route.follow(exchange, handler);
            } else {
                exchange.response().headers().set("Allow", allow);
                Responses.refuseMethod(exchange, method);
            }
        }

        private static String allow(Map<String, HttpHandler> byMethod) {
            TreeMap<String, HttpHandler> methods = new TreeMap<>(byMethod);
            if (methods.containsKey("GET")) {
                methods.putIfAbsent("HEAD", methods.get("GET"));
            }
            methods.keySet().remove(ANY);
            return methods.isEmpty() ? "OPTIONS" : String.join(", ", methods.keySet()) + ", OPTIONS";
        }
    }
}
