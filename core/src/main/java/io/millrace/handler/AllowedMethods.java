package io.millrace.handler;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Method;
import java.util.Set;
import java.util.TreeSet;

/**
 * Passes only requests with certain methods; others get a 405 response with {@code Allow} (RFC 9110, 15.5.6), and OPTIONS, unless
 * it is one of them, a 204 response with {@code Allow}. HEAD is allowed where GET is. Methods are case-sensitive. Immutable.
 */
public final class AllowedMethods {

    private final Set<String> methods;
    private final String allow;

    private AllowedMethods(Set<String> methods) {
        this.methods = Set.copyOf(methods);
        Set<String> listed = new TreeSet<>(methods);
        listed.add(Method.OPTIONS);
        allow = String.join(", ", listed);
    }

    /**
     * Allows these methods.
     *
     * @throws IllegalArgumentException if there is none, or one is not a token
     */
    public static AllowedMethods of(String... methods) {
        if (methods.length == 0) {
            throw new IllegalArgumentException("the list of methods is empty; expected at least one, such as GET");
        }
        Set<String> all = new TreeSet<>();
        for (String method : methods) {
            if (!FieldSyntax.isToken(method)) {
                throw new IllegalArgumentException(
                        "\"" + method + "\" is not a method; expected a token such as GET or PROPFIND");
            }
            all.add(method);
        }
        if (all.contains(Method.GET)) {
            all.add(Method.HEAD);
        }
        return new AllowedMethods(all);
    }

    /** A handler that passes requests with these methods to another one. */
    public HttpHandler wrap(HttpHandler next) {
        return (NonBlockingHandler) exchange -> {
            String method = exchange.request().method();
            if (methods.contains(method)) {
                Route.follow(exchange, next);
            } else {
                exchange.response().headers().set("Allow", allow);
                Responses.refuseMethod(exchange, method);
            }
        };
    }
}
