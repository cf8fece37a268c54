package io.millrace.servlet.resource;

import io.millrace.files.SymbolicLinks;
import java.io.IOException;
import java.net.URL;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Files that are mounted into an application (Tomcat's PreResources, JarResources and PostResources).
 *
 * @param pre searched before the application's own files
 * @param jars searched after them, before META-INF/resources of the application's libraries
 * @param post searched after all others
 * @param libraries JARs whose META-INF/resources are searched as those of the application's libraries: URLs of files, or of JARs
 *     inside of others, as in an executable JAR ({@code jar:file:/app.jar!/lib/a.jar!/}), if the URL's handler can open these
 */
public record ExtraResources(
        List<ResourceMount> pre, List<ResourceMount> jars, List<ResourceMount> post, List<URL> libraries) {

    /** No mounts. */
    public static final ExtraResources NONE = new ExtraResources(List.of(), List.of(), List.of());

    /** Mounts only. */
    public ExtraResources(List<ResourceMount> pre, List<ResourceMount> jars, List<ResourceMount> post) {
        this(pre, jars, post, List.of());
    }

    /** These mounts, with libraries. */
    public ExtraResources withLibraries(List<URL> value) {
        return new ExtraResources(pre, jars, post, List.copyOf(value));
    }

    /** The mounts that clients and the ServletContext see. */
    public ExtraResources files() {
        return filtered(mount -> !mount.classesOnly());
    }

    /** The mounts that the class loader sees. */
    public ExtraResources classes() {
        return filtered(mount -> !mount.filesOnly());
    }

    /** All mounts in the order of the search. */
    public List<ResourceMount> all() {
        return Stream.of(pre, jars, post).flatMap(List::stream).toList();
    }

    /**
     * Whether a mount has a file or directory at a path of the application.
     *
     * @param path begins with a slash
     * @throws IOException if a JAR cannot be read
     */
    public boolean have(String path, SymbolicLinks links) throws IOException {
        for (ResourceMount mount : all()) {
            try (MountedResources opened = MountedResources.open(mount, links)) {
                if (opened.find(path) != null) {
                    return true;
                }
            }
        }
        return false;
    }

    private ExtraResources filtered(Predicate<ResourceMount> condition) {
        return new ExtraResources(
                pre.stream().filter(condition).toList(),
                jars.stream().filter(condition).toList(),
                post.stream().filter(condition).toList(),
                libraries);
    }
}
