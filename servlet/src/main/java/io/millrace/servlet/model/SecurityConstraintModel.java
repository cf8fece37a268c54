package io.millrace.servlet.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A security-constraint (Servlet 3.1, 13.8).
 *
 * @param roles null: no auth-constraint, all are admitted; empty: none is; may contain {@code *} and {@code **}
 * @param transportGuarantee true for INTEGRAL and CONFIDENTIAL
 */
public record SecurityConstraintModel(
        List<Resources> resources, @Nullable List<String> roles, boolean transportGuarantee) {

    /**
     * A web-resource-collection.
     *
     * @param methods only these; empty: all
     * @param omittedMethods all but these; empty: none omitted
     */
    public record Resources(List<String> urlPatterns, List<String> methods, List<String> omittedMethods) {}
}
