package io.millrace.servlet.settings;

import java.util.Map;
import javax.servlet.Servlet;

/**
 * Servlets of the container itself, such as those that administer it, under the class names by which descriptors name them. An
 * application's own class of such a name takes precedence.
 *
 * @param classes by name; each has a public constructor without parameters
 * @param permitted whether the application may have them: otherwise one that names any does not start
 */
public record ContainerServlets(Map<String, Class<? extends Servlet>> classes, boolean permitted) {

    /** There are none. */
    public static final ContainerServlets NONE = new ContainerServlets(Map.of(), true);

    public ContainerServlets {
        classes = Map.copyOf(classes);
    }
}
