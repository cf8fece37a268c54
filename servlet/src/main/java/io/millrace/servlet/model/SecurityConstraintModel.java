package io.millrace.servlet.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A security-constraint (Servlet 3.1, 13.8).
 *
 * @param roles null: there is no auth-constraint, access is open to everybody; empty: access is denied to everybody; may
 *     contain {@code *} (all declared roles) and {@code **} (all authenticated users)
 * @param transportGuarantee true for INTEGRAL and CONFIDENTIAL
 */
public record SecurityConstraintModel(
        List<Resources> resources, @Nullable List<String> roles, boolean transportGuarantee) {

    /**
     * A web-resource-collection.
     *
     * @param urlPatterns decoded ({@link UrlPattern#decoded})
     * @param methods the constraint applies to these HTTP methods only; empty: to all
     * @param omittedMethods the constraint does not apply to these HTTP methods; empty: none is omitted
     */
    public record Resources(List<String> urlPatterns, List<String> methods, List<String> omittedMethods) {}
}
