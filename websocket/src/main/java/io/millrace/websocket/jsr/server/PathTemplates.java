package io.millrace.websocket.jsr.server;

import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import javax.websocket.DeploymentException;
import org.jspecify.annotations.Nullable;

/**
 * Maps paths to endpoints (JSR 356, 3.1.1): an exact match first, then among the templates with as many segments as the path the
 * one with the leftmost literal. Thread-safe.
 *
 * @param <E> the type of endpoints
 */
final class PathTemplates<E> {

    /**
     * The endpoint of a path.
     *
     * @param parameters the variables' values, decoded
     */
    record Match<E>(E endpoint, Map<String, String> parameters) {}

    private final Map<String, E> exact = new ConcurrentHashMap<>();
    /** By the number of their segments. */
    private final Map<Integer, NavigableMap<EndpointPath, E>> templates = new ConcurrentHashMap<>();

    boolean isEmpty() {
        return exact.isEmpty() && templates.isEmpty();
    }

    /**
     * Adds an endpoint.
     *
     * @return the endpoint that already has the same path, which is not replaced; null if there was none
     * @throws DeploymentException if the path is not a valid template
     */
    @Nullable
    E add(String path, E endpoint) throws DeploymentException {
        EndpointPath template = EndpointPath.parse(path);
        if (template.isExact()) {
            return exact.putIfAbsent(path, endpoint);
        }
        return templates
                .computeIfAbsent(template.segments().size(), size -> new ConcurrentSkipListMap<>())
                .putIfAbsent(template, endpoint);
    }

    /** Replaces the endpoint of the same path. */
    void replace(String path, E endpoint) throws DeploymentException {
        EndpointPath template = EndpointPath.parse(path);
        if (template.isExact()) {
            exact.put(path, endpoint);
        } else {
            templates
                    .computeIfAbsent(template.segments().size(), size -> new ConcurrentSkipListMap<>())
                    .put(template, endpoint);
        }
    }

    /**
     * Finds the endpoint of a path; null if there is none.
     *
     * @param path decoded, below the context path; begins with a slash
     */
    @Nullable
    Match<E> find(String path) {
        E equal = exact.get(path);
        if (equal != null) {
            return new Match<>(equal, Map.of());
        }
        if (templates.isEmpty() || path.length() < 2) {
            return null;
        }
        String[] segments = path.substring(1).split("/", -1);
        NavigableMap<EndpointPath, E> candidates = templates.get(segments.length);
        if (candidates != null) {
            for (Map.Entry<EndpointPath, E> candidate : candidates.entrySet()) {
                Map<String, String> parameters = candidate.getKey().match(segments);
                if (parameters != null) {
                    return new Match<>(candidate.getValue(), parameters);
                }
            }
        }
        return null;
    }
}
