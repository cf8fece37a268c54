package io.millrace.servlet.inject;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An annotation that is identified by name, because its class may be from the application's copy of the API. */
record ApiAnnotation(Annotation annotation) {

    static final String RESOURCE = "javax.annotation.Resource";
    static final String RESOURCES = "javax.annotation.Resources";
    static final String POST_CONSTRUCT = "javax.annotation.PostConstruct";
    static final String PRE_DESTROY = "javax.annotation.PreDestroy";

    /** Annotations that only full Java EE servers support. */
    static final List<String> UNSUPPORTED = List.of(
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

    /** The Resource annotations of a class, including those in Resources. */
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

    /** The value of an attribute; null if it is empty or missing in this version of the API. */
    @Nullable
    String text(String attribute) {
        return value(attribute) instanceof String text && !text.isEmpty() ? text : null;
    }

    /** The attribute {@code type}; by default Object. */
    Class<?> type() {
        return value("type") instanceof Class<?> type ? type : Object.class;
    }

    private @Nullable Object value(String attribute) {
        try {
            return annotation.annotationType().getMethod(attribute).invoke(annotation);
        } catch (ReflectiveOperationException e) {
            return null; // lookup exists since version 1.1 of the API
        }
    }
}
