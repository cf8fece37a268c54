package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The handlers of one path by method. HEAD is handled as GET; OPTIONS and 405 responses list the methods. Immutable. */
final class MethodTable {

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
