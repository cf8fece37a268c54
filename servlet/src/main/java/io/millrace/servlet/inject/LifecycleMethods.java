package io.millrace.servlet.inject;

import io.millrace.servlet.model.LifecycleMethodModel;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the methods of one kind, PostConstruct or PreDestroy (JSR 250, 2.5 and 2.6): one for each class. The descriptor takes
 * precedence over the annotation.
 */
final class LifecycleMethods {

    private final String annotation;
    private final List<LifecycleMethodModel> declared;
    private final boolean annotations;

    /** @param annotations true if annotations are read */
    LifecycleMethods(String annotation, List<LifecycleMethodModel> declared, boolean annotations) {
        this.annotation = annotation;
        this.declared = declared;
        this.annotations = annotations;
    }

    /**
     * The methods of a class and its superclasses, the topmost first.
     *
     * @throws IllegalStateException if one of them is invalid
     */
    List<Method> of(Hierarchy hierarchy) {
        List<Method> found = new ArrayList<>();
        for (Class<?> type : hierarchy.classes()) {
            Method method = in(type);
            if (method != null && !hierarchy.isOverridden(method)) {
                found.add(method);
            }
        }
        return found;
    }

    private @Nullable Method in(Class<?> type) {
        for (LifecycleMethodModel model : declared) {
            if (model.className().equals(type.getName())) {
                return named(type, model.method());
            }
        }
        return annotations ? annotated(type) : null;
    }

    private static Method named(Class<?> type, String name) {
        try {
            return type.getDeclaredMethod(name);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(
                    "web.xml names the life-cycle callback " + name + "() of class " + type.getName()
                            + ", which has no such method without parameters",
                    e);
        }
    }

    private @Nullable Method annotated(Class<?> type) {
        List<Method> found = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isBridge() && ApiAnnotation.on(method, annotation) != null)
                .toList();
        if (found.isEmpty()) {
            return null;
        }
        if (found.size() > 1) {
            throw new IllegalStateException("class " + type.getName() + " has @" + simpleName() + " on " + found.size()
                    + " methods, " + found.get(0).getName() + "() and "
                    + found.get(1).getName()
                    + "(); only one may have it");
        }
        if (found.get(0).getParameterCount() > 0) {
            throw new IllegalStateException(
                    "the @" + simpleName() + " method " + found.get(0) + " has parameters; it must have none");
        }
        return found.get(0);
    }

    private String simpleName() {
        return annotation.substring(annotation.lastIndexOf('.') + 1);
    }
}
