package io.millrace.servlet.app;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the welcome file of a directory (Servlet 3.1, 10.10): the first that exists or matches an exact or prefix pattern;
 * otherwise the first that matches an extension pattern without being a file (index.do), except for JSP pages, which need their
 * file.
 */
final class WelcomeFiles {

    private final List<String> names;
    private final UrlMapper mapper;
    private final Predicate<String> exists;

    WelcomeFiles(List<String> names, UrlMapper mapper, Predicate<String> exists) {
        this.names = names;
        this.mapper = mapper;
        this.exists = exists;
    }

    /**
     * The match; null if there is none.
     *
     * @param directory with a trailing slash
     */
    @Nullable
    ServletMatch find(String directory) {
        for (String name : names) {
            String path = path(directory, name);
            ServletMatch match = mapper.matchSpecific(path);
            if (match != null || exists.test(path)) {
                return match != null ? match : mapper.match(path);
            }
        }
        for (String name : names) {
            ServletMatch match = mapper.matchExtension(path(directory, name));
            if (match != null && !match.getPattern().startsWith("*.jsp")) {
                return match;
            }
        }
        return null;
    }

    private static String path(String directory, String name) {
        return name.startsWith("/") ? directory + name.substring(1) : directory + name;
    }
}
