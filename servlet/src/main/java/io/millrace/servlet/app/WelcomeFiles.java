package io.millrace.servlet.app;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds what stands for a directory (Servlet 3.1, 10.10): the first welcome file that exists or that an exact or prefix
 * pattern serves; failing that, the first that an extension pattern serves though there is no such file (index.do), JSP
 * pages excepted, which need their file.
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
     * The match, or null.
     *
     * @param directory with its final slash
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
