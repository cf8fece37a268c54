package io.millrace.servlet.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.http.MappingMatch;
import org.jspecify.annotations.Nullable;

/**
 * Maps paths to servlets by the rules of Servlet 3.1, 12.1: exact, longest path prefix, extension, default. An exact match costs
 * one hash lookup. Immutable.
 */
public final class UrlMapper {

    private final Map<String, ServletMatch> exact = new HashMap<>();
    private final Mapping[] prefixes;
    private final Map<String, Mapping> extensions = new HashMap<>();
    private final @Nullable Mapping fallback;

    UrlMapper(List<ServletHolder> servlets) {
        List<Mapping> found = new ArrayList<>();
        Mapping last = null;
        for (ServletHolder servlet : servlets) {
            for (String pattern : servlet.model().mappings) {
                Mapping mapping = new Mapping(servlet, pattern, kind(pattern));
                switch (kind(pattern)) {
                    case EXACT -> exact.put(pattern, new ServletMatch(mapping, pattern, null));
                    case CONTEXT_ROOT -> exact.put("/", new ServletMatch(mapping, "", "/"));
                    case PATH -> found.add(mapping);
                    case EXTENSION -> extensions.put(pattern.substring(2), mapping);
                    case DEFAULT -> last = mapping;
                }
            }
        }
        found.sort(Comparator.comparingInt((Mapping mapping) -> mapping.pattern.length())
                .reversed());
        prefixes = found.toArray(Mapping[]::new);
        fallback = last;
    }

    /** The kind of a pattern; exact if it is none of the others. */
    static MappingMatch kind(String pattern) {
        if (pattern.isEmpty()) {
            return MappingMatch.CONTEXT_ROOT;
        }
        if (pattern.equals("/")) {
            return MappingMatch.DEFAULT;
        }
        if (pattern.startsWith("*.")) {
            return MappingMatch.EXTENSION;
        }
        return pattern.endsWith("/*") ? MappingMatch.PATH : MappingMatch.EXACT;
    }

    /** True for patterns that Servlet 3.1, 12.2 allows. */
    public static boolean isValid(String pattern) {
        if (pattern.isEmpty() || pattern.startsWith("/")) {
            return pattern.indexOf('\n') < 0 && pattern.indexOf('\r') < 0;
        }
        return pattern.startsWith("*.") && pattern.indexOf('/') < 0;
    }

    /**
     * The match; null if there is none.
     *
     * @param path decoded, below the context path; begins with a slash
     */
    @Nullable
    ServletMatch match(String path) {
        ServletMatch match = matchSpecific(path);
        if (match == null) {
            match = matchExtension(path);
        }
        return match == null && fallback != null ? new ServletMatch(fallback, path, null) : match;
    }

    /** Matches exact patterns and prefixes only. */
    @Nullable
    ServletMatch matchSpecific(String path) {
        ServletMatch match = exact.get(path);
        if (match != null) {
            return match;
        }
        for (Mapping mapping : prefixes) {
            int length = mapping.pattern.length() - 2;
            if (path.regionMatches(0, mapping.pattern, 0, length)) {
                if (path.length() == length) {
                    return new ServletMatch(mapping, path, null);
                }
                if (path.charAt(length) == '/') {
                    return new ServletMatch(mapping, path.substring(0, length), path.substring(length));
                }
            }
        }
        return null;
    }

    /** Matches extension patterns only. */
    @Nullable
    ServletMatch matchExtension(String path) {
        if (extensions.isEmpty()) {
            return null;
        }
        int dot = path.lastIndexOf('.');
        if (dot < path.lastIndexOf('/')) {
            return null;
        }
        Mapping mapping = extensions.get(path.substring(dot + 1));
        return mapping == null ? null : new ServletMatch(mapping, path, null);
    }
}
