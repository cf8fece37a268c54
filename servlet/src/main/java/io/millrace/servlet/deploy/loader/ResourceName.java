package io.millrace.servlet.deploy.loader;

import java.util.ArrayDeque;
import java.util.Deque;

/** Names of a class loader's resources, which old libraries write with a leading slash, or with {@code ..} to find WEB-INF. */
final class ResourceName {

    private static final String UP = "..";

    private ResourceName() {}

    /** The name without a leading slash, with {@code ..} resolved where something is before it. */
    static String of(String asked) {
        if (!asked.startsWith("/") && !asked.contains(UP)) {
            return asked;
        }
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : asked.split("/", -1)) {
            if (segment.equals(UP) && !segments.isEmpty() && !segments.getLast().equals(UP)) {
                segments.removeLast();
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.addLast(segment);
            }
        }
        String name = String.join("/", segments);
        return asked.endsWith("/") && !name.isEmpty() ? name + "/" : name;
    }

    /** True if a name leads out of WEB-INF/classes. */
    static boolean isAboveClasses(String name) {
        return name.equals(UP) || name.startsWith("../");
    }
}
