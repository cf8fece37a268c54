package io.millrace;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.server.ApplicationGate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The versions of an application at one context path, the latest first. Immutable. Usually there is one, which gets
 * every request. Of several versions, the one that claims a request gets it; this is decided on a worker, since a claim
 * may have to look up a session.
 */
record Versions(List<Place> places) implements HttpHandler {

    /** @param handler an {@link ApplicationGate}, unless the application is not running */
    record Place(Application application, HttpHandler handler) {

        boolean runs() {
            return handler instanceof ApplicationGate;
        }
    }

    static Versions of(Place first) {
        return new Versions(List.of(first));
    }

    /** These versions and one more, which replaces one of the same version. */
    Versions with(Place place) {
        List<Place> all = new ArrayList<>(places);
        all.removeIf(each -> each.application.version().equals(place.application.version()));
        all.add(place);
        all.sort((a, b) -> b.application.version().compareTo(a.application.version()));
        return new Versions(List.copyOf(all));
    }

    /** These versions without one; null if no other is left. */
    @Nullable
    Versions without(Application application) {
        List<Place> others = places.stream()
                .filter(each -> !each.application.equals(application))
                .toList();
        return others.isEmpty() ? null : new Versions(others);
    }

    @Nullable
    Place of(Application application) {
        return places.stream()
                .filter(each -> each.application.equals(application))
                .findFirst()
                .orElse(null);
    }

    boolean has(String version) {
        return places.stream().anyMatch(each -> each.application.version().equals(version));
    }

    /** The latest running version; null if none is running. */
    @Nullable
    Application latest() {
        return places.stream()
                .filter(Place::runs)
                .map(Place::application)
                .findFirst()
                .orElse(null);
    }

    /** The handler of requests to the context path. */
    HttpHandler handler() {
        return places.size() == 1 ? places.get(0).handler : this;
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        for (Place place : places) {
            if (place.runs() && place.application.claims(exchange)) {
                place.handler.handle(exchange);
                return;
            }
        }
        newest().handle(exchange);
    }

    /** A version that failed to start does not hide an earlier one that is running. */
    private HttpHandler newest() {
        return places.stream().filter(Place::runs).findFirst().orElse(places.get(0)).handler;
    }
}
