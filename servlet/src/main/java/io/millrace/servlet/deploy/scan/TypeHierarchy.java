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

/** The type hierarchy of the application's classes and their container superclasses, by name. */
final class TypeHierarchy {

    private static final Logger LOG = Logger.getLogger(TypeHierarchy.class);

    private final Set<String> own = new HashSet<>();
    private final Map<String, List<String>> children = new HashMap<>();

    /** @param headers the headers of the application's classes */
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

    /** A container class may connect an application's class with a type. */
    private static void add(byte @Nullable [] classFile, Deque<ClassHeader> pending) {
        if (classFile == null) {
            return;
        }
        try {
            pending.add(ClassHeader.read(classFile));
        } catch (IllegalArgumentException e) {
            LOG.debug("a superclass or interface cannot be read", e);
        }
    }

    /** The application's direct and indirect subtypes of a type, sorted. */
    Set<String> subtypes(String type) {
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
