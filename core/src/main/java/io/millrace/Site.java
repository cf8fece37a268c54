package io.millrace;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.PathRouter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a virtual host answers while the server runs: its applications by context path, and a handler for the rest. One
 * thread at a time changes it; requests see it before or after a change.
 */
final class Site implements NonBlockingHandler {

    private final HttpHandler fallback;
    private final Map<String, Place> places = new LinkedHashMap<>();
    /** Null: there is no application. */
    private volatile @Nullable PathRouter router;

    Site(HttpHandler fallback) {
        this.fallback = fallback;
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        PathRouter paths = router;
        if (paths != null) {
            paths.handle(exchange);
        } else if (fallback instanceof NonBlockingHandler) {
            fallback.handle(exchange);
        } else {
            exchange.dispatch(fallback);
        }
    }

    /** True if an application lies at this context path. */
    boolean isTaken(String contextPath) {
        return places.containsKey(contextPath);
    }

    /** The way into an application; null if it is not here, or did not start. */
    @Nullable
    Door door(Application application) {
        Place place = places.get(application.contextPath());
        return place != null && place.application.equals(application) && place.handler instanceof Door door
                ? door
                : null;
    }

    boolean hosts(Application application) {
        Place place = places.get(application.contextPath());
        return place != null && place.application.equals(application);
    }

    /** Answers what is below the application's context path with this. */
    void put(Application application, HttpHandler handler) {
        places.put(application.contextPath(), new Place(application, handler));
        rebuild();
    }

    void remove(Application application) {
        places.remove(application.contextPath());
        rebuild();
    }

    /** In the order in which they came. */
    List<Application> applications() {
        List<Application> applications = new ArrayList<>();
        places.values().forEach(place -> applications.add(place.application));
        return applications;
    }

    private void rebuild() {
        if (places.isEmpty()) {
            router = null;
            return;
        }
        PathRouter.Builder paths = PathRouter.builder().otherwise(fallback);
        places.forEach((path, place) -> paths.prefix(path, place.handler));
        router = paths.build();
    }

    private record Place(Application application, HttpHandler handler) {}
}
