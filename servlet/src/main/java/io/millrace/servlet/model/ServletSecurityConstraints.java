package io.millrace.servlet.model;

import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.HttpConstraintElement;
import javax.servlet.HttpMethodConstraintElement;
import javax.servlet.ServletSecurityElement;
import javax.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import javax.servlet.annotation.ServletSecurity.TransportGuarantee;
import org.jspecify.annotations.Nullable;

/** Converts {@code @ServletSecurity}, or {@code setServletSecurity} of a registration, to constraints (Servlet 3.1, 13.4.1.2). */
public final class ServletSecurityConstraints {

    private ServletSecurityConstraints() {}

    /**
     * Returns a constraint for each HTTP method that the annotation names, and one for all other methods if the annotation
     * constrains them. Otherwise the other methods are uncovered (13.8.4): they are logged, and denied if the descriptor has
     * deny-uncovered-http-methods.
     *
     * @param urlPatterns the servlet's mappings, except those that are a pattern of a constraint in a descriptor
     * @return empty if there are no patterns or no constraints
     */
    public static List<SecurityConstraintModel> of(ServletSecurityElement security, List<String> urlPatterns) {
        List<SecurityConstraintModel> constraints = new ArrayList<>();
        if (urlPatterns.isEmpty()) {
            return constraints;
        }
        List<String> named = new ArrayList<>();
        for (HttpMethodConstraintElement method : security.getHttpMethodConstraints()) {
            named.add(method.getMethodName());
            Resources resources = new Resources(urlPatterns, List.of(method.getMethodName()), List.of());
            constraints.add(constraint(method, resources));
        }
        if (constrains(security)) {
            constraints.add(constraint(security, new Resources(urlPatterns, List.of(), List.copyOf(named))));
        }
        return constraints;
    }

    private static boolean constrains(HttpConstraintElement element) {
        return element.getRolesAllowed().length > 0
                || element.getEmptyRoleSemantic() == EmptyRoleSemantic.DENY
                || element.getTransportGuarantee() == TransportGuarantee.CONFIDENTIAL;
    }

    private static SecurityConstraintModel constraint(HttpConstraintElement element, Resources resources) {
        return new SecurityConstraintModel(
                List.of(resources), roles(element), element.getTransportGuarantee() == TransportGuarantee.CONFIDENTIAL);
    }

    private static @Nullable List<String> roles(HttpConstraintElement element) {
        if (element.getRolesAllowed().length > 0) {
            return List.of(element.getRolesAllowed());
        }
        return element.getEmptyRoleSemantic() == EmptyRoleSemantic.DENY ? List.of() : null;
    }
}
