package io.millrace.servlet.deploy.scan;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Who extends or implements whom: the application's classes, and the container's that these build on. By names. */
final class TypeHierarchy {

    private static final Logger LOG = Logger.getLogger(TypeHierarchy.class);

    private final Set<String> own = new HashSet<>();
    private final Map<String, List<String>> children = new HashMap<>();

    /** @param headers of the application's classes */
    TypeHierarchy(List<ClassHeader> headers, ClassFiles files) throws IOException {
        headers.forEach(header -> own.add(header.name()));
        Deque<ClassHeader> pending = new ArrayDeque<>(headers);
        Set<String> above = new HashSet<>();
        while (!pending.isEmpty()) {
            ClassHeader header = pending.remove();
            for (String parent : header.parents()) {
                children.computeIfAbsent(parent, any -> new ArrayList<>(1)).add(header.name());
                if (!own.contains(parent) && !parent.startsWith("java.") && above.add(parent)) {
                    add(files.bytes(parent), pending);
                }
            }
        }
    }

    /** A class of the container's may be the link between an application's class and a type. */
    private static void add(byte @Nullable [] classFile, Deque<ClassHeader> pending) {
        if (classFile == null) {
            return;
        }
        try {
            pending.add(ClassHeader.read(classFile));
        } catch (IllegalArgumentException e) {
            LOG.debug("a class that others extend cannot be read", e);
        }
    }

    /** The application's classes and interfaces below a type, at any distance, without the type itself; sorted. */
    Set<String> below(String type) {
        Set<String> found = new TreeSet<>();
        Set<String> seen = new HashSet<>();
        Deque<String> pending = new ArrayDeque<>(List.of(type));
        while (!pending.isEmpty()) {
            for (String child : children.getOrDefault(pending.remove(), List.of())) {
                if (seen.add(child)) {
                    pending.add(child);
                    if (own.contains(child)) {
                        found.add(child);
                    }
                }
            }
        }
        found.remove(type);
        return found;
    }
}
