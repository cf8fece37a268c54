package io.millrace.proxy;

import io.millrace.http.RequestHead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the backend for a request: that of its session, if it has one; otherwise the less loaded of two that are drawn by their shares
 * (the power of two choices). An ejected backend whose pause has expired gets the next request. Backends that are not up are skipped, unless
 * less than half are up: the fault is then more likely elsewhere, and all are used that are not draining. One that
 * refuses requests is skipped while others do not. Thread-safe.
 */
final class Balancer {

    private final List<Backend> backends;
    private final String sticky;
    private final IntUnaryOperator random;

    /**
     * A balancer for these backends.
     *
     * @param sticky the name of the session cookie; empty for none
     * @param random returns a number from 0, inclusive, to its argument, exclusive
     */
    Balancer(List<Backend> backends, String sticky, IntUnaryOperator random) {
        this.backends = List.copyOf(backends);
        this.sticky = sticky;
        this.random = random;
    }

    List<Backend> backends() {
        return backends;
    }

    /**
     * The backend for a request.
     *
     * @param tried the backends that have failed for it; others are preferred
     * @return null if all are draining
     */
    @Nullable
    Backend choose(RequestHead request, Collection<Backend> tried) {
        String route = route(request);
        List<Backend> serving = new ArrayList<>(backends.size());
        List<Backend> up = new ArrayList<>(backends.size());
        boolean refusing = false;
        Backend due = null;
        for (Backend each : backends) {
            BackendState state = each.state();
            boolean isDue = state == BackendState.EJECTED && each.isDue();
            boolean answers = state == BackendState.UP || state == BackendState.DRAINING || isDue || each.hasReturned();
            if (answers && route != null && route.equals(each.address().route()) && !tried.contains(each)) {
                return each;
            }
            if (state != BackendState.DRAINING) {
                serving.add(each);
            }
            if (state == BackendState.UP) {
                up.add(each);
                refusing |= each.isRefusing();
            }
            due = isDue && tried.isEmpty() ? each : due;
        }
        if (due != null || serving.isEmpty()) {
            return due;
        }
        boolean enough = 2 * up.size() >= serving.size();
        up.removeAll(tried);
        if (enough && !up.isEmpty()) {
            return draw(refusing ? accepting(up) : up);
        }
        List<Backend> others =
                serving.stream().filter(each -> !tried.contains(each)).toList();
        return draw(others.isEmpty() ? serving : others);
    }

    /** Those that do not refuse requests; all if each does. */
    private static List<Backend> accepting(List<Backend> up) {
        List<Backend> accepting = up.stream().filter(each -> !each.isRefusing()).toList();
        return accepting.isEmpty() ? up : accepting;
    }

    private Backend draw(List<Backend> from) {
        Backend one = drawOne(from, null);
        if (from.size() == 1) {
            return one;
        }
        Backend two = drawOne(from, one);
        return two.load() < one.load() ? two : one;
    }

    /** Draws by shares, so that a backend with a small share gets few requests even if none is loaded. */
    private Backend drawOne(List<Backend> from, @Nullable Backend but) {
        int all = 0;
        for (Backend each : from) {
            all += each.equals(but) ? 0 : each.share();
        }
        int drawn = random.applyAsInt(all);
        Backend last = from.get(0);
        for (Backend each : from) {
            if (!each.equals(but)) {
                last = each;
                drawn -= each.share();
                if (drawn < 0) {
                    return each;
                }
            }
        }
        return last; // shares may have grown meanwhile
    }

    /** The part of the session id after its last dot, in the path or a cookie; null if there is none. */
    private @Nullable String route(RequestHead request) {
        if (sticky.isEmpty()) {
            return null;
        }
        String parameters = request.path().parameters();
        String id = parameters == null ? null : value(parameters, ";", sticky.toLowerCase(Locale.ROOT));
        if (id == null) {
            for (String cookies : request.headers().all("Cookie")) {
                id = id == null ? value(cookies, ";", sticky) : id;
            }
        }
        int dot = id == null ? -1 : id.lastIndexOf('.');
        return id == null || dot < 0 ? null : id.substring(dot + 1);
    }

    private static @Nullable String value(String list, String separator, String name) {
        for (String each : list.split(separator, -1)) {
            String pair = each.strip();
            if (pair.startsWith(name) && pair.startsWith("=", name.length())) {
                return pair.substring(name.length() + 1).replace("\"", "");
            }
        }
        return null;
    }
}
