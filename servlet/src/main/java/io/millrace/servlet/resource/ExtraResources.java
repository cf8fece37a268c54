package io.millrace.servlet.resource;

import io.millrace.files.SymbolicLinks;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What an application has besides its own files, in the order in which it is searched.
 *
 * @param pre before its own
 * @param jars after its own, before META-INF/resources of its libraries
 * @param post after all others
 */
public record ExtraResources(List<ResourceMount> pre, List<ResourceMount> jars, List<ResourceMount> post) {

    /** Nothing. */
    public static final ExtraResources NONE = new ExtraResources(List.of(), List.of(), List.of());

    /** Those that clients and the ServletContext see. */
    public ExtraResources files() {
        return filtered(mount -> !mount.classesOnly());
    }

    /** Those that the class loader sees. */
    public ExtraResources classes() {
        return filtered(mount -> !mount.filesOnly());
    }

    /** All of them. */
    public List<ResourceMount> all() {
        return Stream.of(pre, jars, post).flatMap(List::stream).toList();
    }

    /**
     * Do they have something at a path of the application?
     *
     * @param path begins with a slash
     * @throws IOException a jar can't be read
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
                post.stream().filter(condition).toList());
    }
}
