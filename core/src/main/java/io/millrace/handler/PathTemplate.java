package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A path with parameters, {@code /orders/{id}/items/{item}}: each stands for one segment that is not empty. A last segment {@code *}
 * stands for any number of further ones. Decoded and normalized paths are compared, in time linear in their length. Immutable.
 */
public final class PathTemplate implements Comparable<PathTemplate> {

    private static final AttributeKey<Values> VALUES = AttributeKey.of("path parameters", Values.class);

    private record Values(Map<String, String> byName) {}

    private final String text;
    private final List<String> segments;
    private final boolean open;

    private PathTemplate(String text, List<String> segments, boolean open) {
        this.text = text;
        this.segments = segments;
        this.open = open;
    }

    /**
     * Parses a template.
     *
     * @throws IllegalArgumentException if it is malformed; the message says what was found and expected
     */
    public static PathTemplate parse(String text) {
        if (!text.startsWith("/")) {
            throw malformed(text, "expected one that begins with a slash, such as /orders/{id}");
        }
        List<String> segments = new ArrayList<>(List.of(text.substring(1).split("/", -1)));
        boolean open = segments.get(segments.size() - 1).equals("*");
        if (open) {
            segments.remove(segments.size() - 1);
        }
        Set<String> names = new HashSet<>();
        for (String segment : segments) {
            if (segment.indexOf('{') < 0 && segment.indexOf('}') < 0 && !segment.equals("*")) {
                continue;
            }
            if (!segment.matches("\\{[A-Za-z_][A-Za-z0-9_.-]*\\}")) {
                throw malformed(
                        text, "its segment " + segment + " is neither plain text nor one parameter, such as {id}");
            }
            if (!names.add(segment)) {
                throw malformed(text, "it has two parameters " + segment);
            }
        }
        return new PathTemplate(text, List.copyOf(segments), open);
    }

    private static IllegalArgumentException malformed(String text, String what) {
        return new IllegalArgumentException("the path template is \"" + text + "\"; " + what);
    }

    /** The length of the beginning of each matching path that is the same in all of them: what is before the first parameter. */
    int plainLength() {
        int length = 0;
        for (String segment : segments) {
            if (isParameter(segment)) {
                break;
            }
            length += 1 + segment.length();
        }
        return length;
    }

    private static boolean isParameter(String segment) {
        return segment.startsWith("{");
    }

    /**
     * Compares a path.
     *
     * @param path decoded and normalized
     * @return the parameters by name; null if the path does not match
     */
    public @Nullable Map<String, String> match(String path) {
        Map<String, String> found = null;
        int at = 0; // the index of the slash before the next segment
        for (String segment : segments) {
            if (at >= path.length() || path.charAt(at) != '/') {
                return null;
            }
            int slash = path.indexOf('/', at + 1);
            int end = slash < 0 ? path.length() : slash;
            if (!isParameter(segment)) {
                if (end - at - 1 != segment.length() || !path.startsWith(segment, at + 1)) {
                    return null;
                }
            } else if (end == at + 1) {
                return null;
            } else {
                found = found == null ? new LinkedHashMap<>() : found;
                found.put(segment.substring(1, segment.length() - 1), path.substring(at + 1, end));
            }
            at = end;
        }
        boolean whole = at == path.length() || open && path.charAt(at) == '/';
        if (!whole) {
            return null;
        }
        return found == null ? Map.of() : Collections.unmodifiableMap(found);
    }

    /** The values of the parameters of the template that has matched a request's path; empty if none has. */
    public static Map<String, String> parameters(HttpExchange exchange) {
        Values values = exchange.attribute(VALUES);
        return values == null ? Map.of() : values.byName();
    }

    /** Makes these the parameters of a request. */
    public static void setParameters(HttpExchange exchange, Map<String, String> values) {
        exchange.attributes().put(VALUES, new Values(values));
    }

    /** The more specific one is the lesser one: at the first difference, plain text comes before a parameter, and that before the end. */
    @Override
    public int compareTo(PathTemplate other) {
        for (int i = 0; i < Math.min(segments.size(), other.segments.size()); i++) {
            boolean mine = isParameter(segments.get(i));
            if (mine != isParameter(other.segments.get(i))) {
                return mine ? 1 : -1;
            }
        }
        int longer = Integer.compare(other.segments.size(), segments.size());
        if (longer != 0) {
            return longer;
        }
        return open == other.open ? shape().compareTo(other.shape()) : Boolean.compare(open, other.open);
    }

    /** The template without the names of its parameters. */
    private String shape() {
        return text.replaceAll("\\{[^}]*\\}", "{}");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PathTemplate template && template.shape().equals(shape());
    }

    @Override
    public int hashCode() {
        return shape().hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
