package io.millrace.servlet.inject;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An annotation that is known by its name: its own class is the application's if it brings a copy of the API, and the
 * container's otherwise.
 */
record ApiAnnotation(Annotation annotation) {

    static final String RESOURCE = "javax.annotation.Resource";
    static final String RESOURCES = "javax.annotation.Resources";
    static final String POST_CONSTRUCT = "javax.annotation.PostConstruct";
    static final String PRE_DESTROY = "javax.annotation.PreDestroy";

    /** Of things that only a full Java EE server has. */
    static final List<String> NOT_HERE = List.of(
            "javax.ejb.EJB",
            "javax.persistence.PersistenceContext",
            "javax.persistence.PersistenceUnit",
            "javax.xml.ws.WebServiceRef");

    static @Nullable ApiAnnotation on(AnnotatedElement element, String name) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().equals(name)) {
                return new ApiAnnotation(annotation);
            }
        }
        return null;
    }

    /** Resource and what is in Resources, on a class. */
    static List<ApiAnnotation> resources(Class<?> type) {
        List<ApiAnnotation> found = new ArrayList<>();
        ApiAnnotation one = on(type, RESOURCE);
        if (one != null) {
            found.add(one);
        }
        ApiAnnotation several = on(type, RESOURCES);
        if (several != null && several.value("value") instanceof Annotation[] all) {
            for (Annotation each : all) {
                found.add(new ApiAnnotation(each));
            }
        }
        return found;
    }

    String name() {
        return "@" + annotation.annotationType().getSimpleName();
    }

    /** Null if it is empty, or if this version of the API does not have it. */
    @Nullable
    String text(String attribute) {
        return value(attribute) instanceof String text && !text.isEmpty() ? text : null;
    }

    /** The attribute {@code type}; Object if it is not given. */
    Class<?> type() {
        return value("type") instanceof Class<?> type ? type : Object.class;
    }

    private @Nullable Object value(String attribute) {
        try {
            return annotation.annotationType().getMethod(attribute).invoke(annotation);
        } catch (ReflectiveOperationException e) {
            return null; // lookup came with version 1.1 of the API
        }
    }
}
