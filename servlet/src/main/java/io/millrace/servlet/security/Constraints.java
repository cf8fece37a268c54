package io.millrace.servlet.security;

import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.WebAppModel;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The constraints of an application by URL pattern. A path is matched like a servlet mapping: exact pattern, longest path,
 * extension, then {@code /}; only the best match applies (Servlet 3.1, 13.8.3).
 */
final class Constraints {

    private final Map<String, PatternRules> byPattern = new HashMap<>();
    private final boolean denyUncovered;
    private final int longest;

    Constraints(WebAppModel model) {
        denyUncovered = model.denyUncoveredHttpMethods;
        Set<String> roles = new LinkedHashSet<>(model.securityRoles);
        for (SecurityConstraintModel constraint : model.securityConstraints) {
            for (SecurityConstraintModel.Resources resources : constraint.resources()) {
                for (String pattern : resources.urlPatterns()) {
                    byPattern
                            .computeIfAbsent(pattern, key -> new PatternRules(roles))
                            .add(resources, constraint);
                }
            }
        }
        longest = byPattern.keySet().stream().mapToInt(String::length).max().orElse(0);
    }

    /**
     * Returns the access that the constraints require for a request.
     *
     * @param path decoded and normalised, below the context path
     */
    RequiredAccess demand(String method, String path) {
        if (byPattern.isEmpty()) {
            return RequiredAccess.NONE;
        }
        PatternRules rules = bestMatch(path.isEmpty() ? "/" : path);
        return rules == null ? RequiredAccess.NONE : rules.demand(method, denyUncovered);
    }

    /** Reports each pattern with uncovered methods. */
    void forEachGap(BiConsumer<String, Set<String>> gaps) {
        byPattern.forEach((pattern, rules) -> {
            Set<String> open = rules.gaps();
            if (!open.isEmpty()) {
                gaps.accept(pattern, open);
            }
        });
    }

    boolean isEmpty() {
        return byPattern.isEmpty();
    }

    /** True if a constraint requires a login. */
    static boolean needsLogin(WebAppModel model) {
        return model.securityConstraints.stream()
                .anyMatch(it -> it.roles() != null && !it.roles().isEmpty());
    }

    private @Nullable PatternRules bestMatch(String path) {
        PatternRules found = byPattern.get(path.equals("/") ? "" : path);
        if (found == null && !path.equals("/")) {
            found = byPattern.get(path);
        }
        for (int end = path.length(); found == null && end >= 0; end = path.lastIndexOf('/', end - 1)) {
            // prefixes longer than every pattern are not looked up: the time does not grow with the number of segments
            found = end + 2 > longest ? null : byPattern.get(path.substring(0, end) + "/*");
        }
        int dot = path.lastIndexOf('.');
        if (found == null && dot > path.lastIndexOf('/')) {
            found = byPattern.get("*" + path.substring(dot));
        }
        return found == null ? byPattern.get("/") : found;
    }
}
