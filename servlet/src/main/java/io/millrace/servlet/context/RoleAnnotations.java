package io.millrace.servlet.context;

import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.model.WebAppModel;
import java.lang.annotation.Annotation;

/**
 * RunAs and DeclareRoles on the class of a servlet added in code (Servlet 3.1, 4.4.1). Found by name, as the application may have
 * its own copies of the annotations' classes.
 */
final class RoleAnnotations {

    private static final String PACKAGE = "javax.annotation.security.";

    private RoleAnnotations() {}

    static void read(Class<?> type, ServletModel servlet, WebAppModel model) {
        for (Annotation annotation : type.getAnnotations()) {
            String name = annotation.annotationType().getName();
            if (name.equals(PACKAGE + "RunAs") && servlet.runAs == null && value(annotation) instanceof String role) {
                servlet.runAs = role;
            } else if (name.equals(PACKAGE + "DeclareRoles") && value(annotation) instanceof String[] roles) {
                for (String role : roles) {
                    if (!model.securityRoles.contains(role)) {
                        model.securityRoles.add(role);
                    }
                }
            }
        }
    }

    private static Object value(Annotation annotation) {
        try {
            return annotation.annotationType().getMethod("value").invoke(annotation);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    annotation.annotationType().getName() + " is not the annotation of the API", e);
        }
    }
}
