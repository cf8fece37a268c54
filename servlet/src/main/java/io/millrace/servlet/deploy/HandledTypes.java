package io.millrace.servlet.deploy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.CompositeIndex;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.Indexer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Finds the classes that extend, implement or are annotated with a type (Servlet 3.1, 8.2.4), at any distance. A class that
 * cannot be loaded is left out, as the specification asks: jars hold classes for libraries that are not there.
 */
final class HandledTypes {

    private static final Logger LOG = Logger.getLogger(HandledTypes.class);

    private final IndexView own;
    /** The application's and what it builds on. */
    private final IndexView index;

    private final ClassLoader loader;

    private HandledTypes(IndexView own, IndexView index, ClassLoader loader) {
        this.own = own;
        this.index = index;
        this.loader = loader;
    }

    /** @param indexes of all classes of the application; empty if nobody asks for types */
    static HandledTypes of(List<? extends IndexView> indexes, ClassLoader loader, ClassFiles files) throws IOException {
        CompositeIndex own = CompositeIndex.create(new ArrayList<>(indexes));
        return new HandledTypes(own, CompositeIndex.create(own, ancestors(own, files)), loader);
    }

    /** The container's classes and interfaces that the application's build on: a type may be reached only through them. */
    private static IndexView ancestors(IndexView own, ClassFiles files) throws IOException {
        Indexer indexer = new Indexer();
        Set<DotName> seen = new HashSet<>();
        List<ClassInfo> next = List.copyOf(own.getKnownClasses());
        while (!next.isEmpty()) {
            List<ClassInfo> found = new ArrayList<>();
            for (ClassInfo type : next) {
                for (DotName name : parents(type)) {
                    if (seen.add(name) && isAbove(name, own)) {
                        byte[] bytes = files.bytes(name.toString());
                        ClassInfo info = files.info(name.toString());
                        if (bytes != null && info != null) {
                            indexer.index(new ByteArrayInputStream(bytes));
                            found.add(info);
                        }
                    }
                }
            }
            next = found;
        }
        return indexer.complete();
    }

    private static boolean isAbove(DotName name, IndexView own) {
        return !name.toString().startsWith("java.") && own.getClassByName(name) == null;
    }

    private static List<DotName> parents(ClassInfo type) {
        List<DotName> parents = new ArrayList<>(type.interfaceNames());
        if (type.superName() != null) {
            parents.add(type.superName());
        }
        return parents;
    }

    /** @param initializer who asks, for messages */
    Set<Class<?>> matching(String initializer, String typeName) {
        Set<Class<?>> classes = new LinkedHashSet<>();
        Class<?> type = load(typeName);
        if (type == null) {
            LOG.debugf("%s asks for the type %s, which is not there", initializer, typeName);
            return classes;
        }
        for (String name : names(DotName.createSimple(typeName), type)) {
            Class<?> found = own.getClassByName(name) == null ? null : load(name);
            if (found != null) {
                classes.add(found);
            }
        }
        return classes;
    }

    private Set<String> names(DotName type, Class<?> loaded) {
        Set<String> names = new TreeSet<>();
        if (loaded.isAnnotation()) {
            for (AnnotationInstance annotation : index.getAnnotations(type)) {
                add(names, annotation.target());
            }
        } else if (loaded.isInterface()) {
            index.getAllKnownImplementations(type)
                    .forEach(info -> names.add(info.name().toString()));
            index.getAllKnownSubinterfaces(type)
                    .forEach(info -> names.add(info.name().toString()));
        } else {
            index.getAllKnownSubclasses(type)
                    .forEach(info -> names.add(info.name().toString()));
        }
        return names;
    }

    private static void add(Set<String> names, AnnotationTarget target) {
        switch (target.kind()) {
            case CLASS -> names.add(target.asClass().name().toString());
            case FIELD -> names.add(target.asField().declaringClass().name().toString());
            case METHOD -> names.add(target.asMethod().declaringClass().name().toString());
            default -> {}
        }
    }

    private @Nullable Class<?> load(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            LOG.debugf("%s cannot be loaded and is not told to any initializer: %s", name, e);
            return null;
        }
    }
}
