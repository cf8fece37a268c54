package io.millrace;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.PathRouter;
import io.millrace.handler.Route;
import io.millrace.server.ApplicationGate;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a virtual host of a running server: its applications by context path, and a handler for all other
 * requests. Changed by one thread at a time; a request sees the state either before or after a change.
 */
final class HostContent implements NonBlockingHandler {

    /** The methods that the server as a whole supports; the list is Tomcat's. */
    private static final String ALLOWED = "GET, HEAD, POST, PUT, DELETE, OPTIONS";

    private final String name;
    private final HttpHandler fallback;
    private final Map<String, Versions> places = new LinkedHashMap<>();
    private volatile Map<String, Versions> published = Map.of();
    /** Null if there is no application. */
    private volatile @Nullable PathRouter router;

    /**
     * Without applications.
     *
     * @param name of the virtual host; may be empty
     */
    HostContent(String name, HttpHandler fallback) {
        this.name = name;
        this.fallback = fallback;
    }

    String name() {
        return name;
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        PathRouter paths = router;
        if (paths != null && exchange.request().path().isAsterisk()) {
            answerForServer(exchange);
        } else if (paths != null) {
            paths.handle(exchange);
        } else {
            Route.follow(exchange, fallback);
        }
    }

    /** {@code OPTIONS *} applies to the server as a whole (RFC 9110, 9.3.7), not to an application. */
    private static void answerForServer(HttpExchange exchange) {
        exchange.response().headers().add("Allow", ALLOWED);
    }

    /** Whether there is an application with the same context path and version. */
    boolean isTaken(Application application) {
        Versions versions = places.get(application.contextPath());
        return versions != null && versions.has(application.version());
    }

    /** The gate of an application; null if it is not deployed here, or failed to start. */
    @Nullable
    ApplicationGate gate(Application application) {
        Versions.Place place = place(application);
        return place != null && place.handler() instanceof ApplicationGate gate ? gate : null;
    }

    boolean hosts(Application application) {
        return place(application) != null;
    }

    private Versions.@Nullable Place place(Application application) {
        Versions versions = places.get(application.contextPath());
        return versions == null ? null : versions.of(application);
    }

    /** Sets the handler of requests below the application's context path. */
    void put(Application application, HttpHandler handler) {
        Versions.Place place = new Versions.Place(application, handler);
        places.merge(application.contextPath(), Versions.of(place), (versions, more) -> versions.with(place));
        rebuild();
    }

    void remove(Application application) {
        places.computeIfPresent(application.contextPath(), (path, versions) -> versions.without(application));
        rebuild();
    }

    /** The latest running version of the application that handles a path; null if none does. Safe to call from any thread. */
    @Nullable
    Application application(String path) {
        Map<String, Versions> now = published;
        for (String at = path; ; at = at.substring(0, at.lastIndexOf('/'))) {
            Versions versions = now.get(at);
            if (versions != null) {
                return versions.latest();
            }
            if (at.lastIndexOf('/') < 0) {
                return null;
            }
        }
    }

    private void rebuild() {
        published = Map.copyOf(places);
        if (fallback instanceof ApplicationIndex index) {
            index.show(published);
        }
        if (places.isEmpty()) {
            router = null;
            return;
        }
        PathRouter.Builder paths = PathRouter.builder().otherwise(fallback);
        places.forEach((path, versions) -> paths.prefix(path, versions.handler()));
        router = paths.build();
    }
}
