package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.LocalReference;
import java.util.Set;

/** Redirects every request: to one location, or to the same path on another site. */
public final class RedirectHandler implements NonBlockingHandler {

    private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);

    private final int status;
    private final String location;
    private final boolean keepTarget;

    private RedirectHandler(int status, String location, boolean keepTarget) {
        if (!STATUSES.contains(status)) {
            throw new IllegalArgumentException("status is " + status + "; expected one of 301, 302, 303, 307, 308");
        }
        this.status = status;
        this.location = location;
        this.keepTarget = keepTarget;
    }

    /**
     * Redirects every request to the same location.
     *
     * @param status 301, 302, 303, 307 or 308
     */
    public static RedirectHandler to(int status, String location) {
        return new RedirectHandler(status, location, false);
    }

    /**
     * Redirects requests to the same path and query below a base.
     *
     * @param status 301, 302, 303, 307 or 308
     * @param base an absolute URI without a trailing slash, such as {@code https://www.example.org}, or a path
     */
    public static RedirectHandler toSameTarget(int status, String base) {
        if (base.isEmpty() || base.endsWith("/")) {
            throw new IllegalArgumentException(
                    "base is \"" + base + "\"; expected an absolute URI or a path, without a trailing slash");
        }
        return new RedirectHandler(status, base, true);
    }

    @Override
    public void handle(HttpExchange exchange) {
        Responses.redirect(exchange, status, keepTarget ? location + target(exchange) : location);
    }

    private static String target(HttpExchange exchange) {
        String path = exchange.request().path().raw();
        return LocalReference.of(
                path.startsWith("/") ? path : "/", exchange.request().query());
    }
}
