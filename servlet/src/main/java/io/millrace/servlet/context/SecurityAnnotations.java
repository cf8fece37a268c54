package io.millrace.servlet.context;

import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.model.ServletSecurityConstraints;
import io.millrace.servlet.model.WebAppModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.servlet.ServletSecurityElement;

/** Converts ServletSecurity annotations and elements into constraints of the model (Servlet 3.1, 13.4). */
final class SecurityAnnotations {

    private final WebAppModel model;
    private final IdentityHashMap<ServletModel, ServletSecurityElement> elements = new IdentityHashMap<>();

    SecurityAnnotations(WebAppModel model) {
        this.model = model;
    }

    /** Adds an annotation; an element set in code takes precedence. */
    void add(ServletModel servlet, ServletSecurityElement element) {
        elements.putIfAbsent(servlet, element);
    }

    /** Sets an element in code. Returns the servlet's patterns that the descriptor constrains, which stay unchanged. */
    Set<String> replace(ServletModel servlet, ServletSecurityElement element) {
        elements.put(servlet, element);
        Set<String> conflicts = new LinkedHashSet<>(servlet.mappings);
        conflicts.retainAll(constrained());
        return conflicts;
    }

    /** Adds the constraints, once all patterns are known. */
    void settle() {
        Set<String> taken = constrained();
        elements.forEach((servlet, element) -> {
            List<String> patterns = new ArrayList<>(servlet.mappings);
            patterns.removeAll(taken);
            model.securityConstraints.addAll(ServletSecurityConstraints.of(element, patterns));
        });
        elements.clear();
    }

    private Set<String> constrained() {
        Set<String> patterns = new HashSet<>();
        for (SecurityConstraintModel constraint : model.securityConstraints) {
            for (SecurityConstraintModel.Resources resources : constraint.resources()) {
                patterns.addAll(resources.urlPatterns());
            }
        }
        return patterns;
    }
}
