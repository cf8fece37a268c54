package io.millrace.servlet.deploy.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.DotName;
import org.jboss.jandex.Index;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Finds the classes that extend, implement or are annotated with a type (Servlet 3.1, 8.2.4), directly or indirectly. Classes
 * that cannot be loaded are ignored, as specified: JARs have classes for missing libraries.
 */
public final class HandledTypes {

    private static final Logger LOG = Logger.getLogger(HandledTypes.class);

    private final TypeHierarchy hierarchy;
    private final List<Index> indexes;
    private final ClassLoader loader;

    /**
     * Searches all places of an application.
     *
     * @param places empty if no initializer handles types
     */
    public HandledTypes(List<ScannedPlace> places, ClassLoader loader, ClassFiles files) throws IOException {
        List<ClassHeader> headers = new ArrayList<>();
        places.forEach(place -> headers.addAll(place.headers()));
        this.hierarchy = new TypeHierarchy(headers, files);
        this.indexes = places.stream().map(ScannedPlace::index).toList();
        this.loader = loader;
    }

    /** @param initializer the initializer that handles the type, for messages */
    Set<Class<?>> matching(String initializer, String typeName) {
        Set<Class<?>> classes = new LinkedHashSet<>();
        Class<?> type = load(typeName);
        if (type == null) {
            LOG.debugf("%s handles the type %s, which does not exist", initializer, typeName);
            return classes;
        }
        for (String name : type.isAnnotation() ? annotated(typeName) : hierarchy.subtypes(typeName)) {
            Class<?> found = load(name);
            if (found != null) {
                classes.add(found);
            }
        }
        return classes;
    }

    private Set<String> annotated(String annotation) {
        DotName name = DotName.createSimple(annotation);
        Set<String> names = new TreeSet<>();
        for (Index index : indexes) {
            for (AnnotationInstance instance : index.getAnnotations(name)) {
                add(names, instance.target());
            }
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
            LOG.debugf("%s cannot be loaded and is not passed to initializers: %s", name, e);
            return null;
        }
    }
}
