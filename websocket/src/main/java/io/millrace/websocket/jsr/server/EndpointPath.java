package io.millrace.websocket.jsr.server;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.websocket.DeploymentException;
import org.jspecify.annotations.Nullable;

/**
 * The path of a server endpoint below the context path (JSR 356, 3.1.1): each segment is a literal or a variable in braces.
 * Immutable.
 *
 * @param text as it was declared
 * @param segments in order; {@code /} alone has none
 */
record EndpointPath(String text, List<Segment> segments) implements Comparable<EndpointPath> {

    /** The names of variables (RFC 6570, 2.3), without percent-encoding. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)*");

    /**
     * One segment.
     *
     * @param text the literal, or the variable's name
     */
    record Segment(String text, boolean isVariable) {}

    /**
     * Parses a template.
     *
     * @throws DeploymentException if it is invalid; the message names it and the error
     */
    static EndpointPath parse(String path) throws DeploymentException {
        if (!path.startsWith("/")) {
            throw invalid(path, "it does not begin with a slash");
        }
        if (path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
            throw invalid(path, "it contains ? or #, which cannot be part of a path");
        }
        if (path.length() == 1) {
            return new EndpointPath(path, List.of());
        }
        Set<String> names = new HashSet<>();
        String[] parts = path.substring(1).split("/", -1);
        Segment[] segments = new Segment[parts.length];
        for (int i = 0; i < parts.length; i++) {
            boolean trailing = i == parts.length - 1 && i > 0;
            segments[i] = segment(path, parts[i], trailing, names);
        }
        return new EndpointPath(path, List.of(segments));
    }

    private static Segment segment(String path, String part, boolean mayBeEmpty, Set<String> names)
            throws DeploymentException {
        if (part.isEmpty() && !mayBeEmpty || part.equals(".") || part.equals("..")) {
            throw invalid(
                    path, "the segment \"" + part + "\" cannot match any request, because their paths are normalized");
        }
        if (part.indexOf('{') < 0 && part.indexOf('}') < 0) {
            return new Segment(part, false);
        }
        String name = part.substring(1, Math.max(1, part.length() - 1));
        if (!part.startsWith("{") || !part.endsWith("}") || !NAME.matcher(name).matches()) {
            throw invalid(
                    path, "the segment \"" + part + "\" is neither a literal nor a single variable such as {name}");
        }
        if (!names.add(name)) {
            throw invalid(path, "the variable " + name + " occurs twice");
        }
        return new Segment(name, true);
    }

    private static DeploymentException invalid(String path, String why) {
        return new DeploymentException("The path \"" + path
                + "\" of a WebSocket endpoint is not a URI template of level 1" + " (JSR 356, 3.1.1): " + why + ".");
    }

    boolean isExact() {
        return segments.stream().noneMatch(Segment::isVariable);
    }

    /** The same for all templates that match the same paths. */
    String shape() {
        StringBuilder shape = new StringBuilder();
        segments.forEach(segment -> shape.append('/').append(segment.isVariable() ? "{}" : segment.text()));
        return shape.toString();
    }

    /**
     * The variables' values; null if it does not match. A variable matches one segment that is not empty.
     *
     * @param path the segments of a decoded path
     */
    @Nullable
    Map<String, String> match(String[] path) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < path.length; i++) {
            Segment segment = segments.get(i);
            if (segment.isVariable() ? path[i].isEmpty() : !segment.text().equals(path[i])) {
                return null;
            }
            if (segment.isVariable()) {
                values.put(segment.text(), path[i]);
            }
        }
        return values;
    }

    /** Of two templates of the same length that match a path, the one with the leftmost literal comes first (JSR 356, 3.1.1). */
    @Override
    public int compareTo(EndpointPath other) {
        int shared = Math.min(segments.size(), other.segments.size());
        for (int i = 0; i < shared; i++) {
            int order = Boolean.compare(
                    segments.get(i).isVariable(), other.segments.get(i).isVariable());
            if (order != 0) {
                return order;
            }
        }
        int length = Integer.compare(segments.size(), other.segments.size());
        return length != 0 ? length : shape().compareTo(other.shape());
    }
}
