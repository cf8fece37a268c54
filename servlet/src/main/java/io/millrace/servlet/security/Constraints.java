package io.millrace.servlet.security;

import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import io.millrace.servlet.model.WebAppModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

    /** Whether a constraint requires a login. */
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

    /** The constraints of one URL pattern. */
    private static final class PatternRules {

        /** One web-resource-collection with the pattern, and its constraint. */
        private record Rule(Resources resources, SecurityConstraintModel constraint) {

            boolean covers(String method) {
                return resources.methods().isEmpty()
                        ? !resources.omittedMethods().contains(method)
                        : resources.methods().contains(method);
            }
        }

        private final List<Rule> rules = new ArrayList<>();
        private final Set<String> declaredRoles;

        PatternRules(Set<String> declaredRoles) {
            this.declaredRoles = declaredRoles;
        }

        void add(Resources resources, SecurityConstraintModel constraint) {
            rules.add(new Rule(resources, constraint));
        }

        /**
         * Returns the access that they require for a method.
         *
         * @param denyUncovered denies methods that no constraint covers (Servlet 3.1, 13.8.4)
         */
        RequiredAccess demand(String method, boolean denyUncovered) {
            List<Rule> applicable =
                    rules.stream().filter(rule -> rule.covers(method)).toList();
            if (applicable.isEmpty()) {
                return denyUncovered ? RequiredAccess.DENIED : RequiredAccess.NONE;
            }
            Set<String> roles = new HashSet<>();
            boolean open = false;
            boolean encrypted = true;
            for (Rule rule : applicable) {
                List<String> named = rule.constraint().roles();
                if (named != null && named.isEmpty()) {
                    return RequiredAccess.DENIED; // overrides all others
                }
                open |= named == null;
                roles.addAll(named == null ? List.of() : named);
                encrypted &= rule.constraint().transportGuarantee();
            }
            return open
                    ? new RequiredAccess(RequiredAccess.Access.EVERYBODY, Set.of(), encrypted)
                    : forRoles(roles, encrypted);
        }

        /** The uncovered methods, for the log; empty if the constraints cover all methods (Servlet 3.1, 13.8.4). */
        Set<String> gaps() {
            Set<String> omitted = new TreeSet<>();
            Set<String> named = new TreeSet<>();
            for (Rule rule : rules) {
                if (rule.resources().methods().isEmpty()
                        && rule.resources().omittedMethods().isEmpty()) {
                    return Set.of();
                }
                omitted.addAll(rule.resources().omittedMethods());
                named.addAll(rule.resources().methods());
            }
            omitted.removeIf(method -> rules.stream().anyMatch(rule -> rule.covers(method)));
            boolean onlyNamed =
                    rules.stream().noneMatch(rule -> rule.resources().methods().isEmpty());
            if (onlyNamed) {
                omitted.add("all but " + String.join(" ", named));
            }
            return omitted;
        }

        private RequiredAccess forRoles(Set<String> roles, boolean encrypted) {
            // a role that an application declares under the name of a wildcard is an ordinary role
            if (roles.contains("**") && !declaredRoles.contains("**")) {
                return new RequiredAccess(RequiredAccess.Access.AUTHENTICATED, Set.of(), encrypted);
            }
            if (roles.contains("*")) {
                roles.addAll(declaredRoles);
            }
            return new RequiredAccess(RequiredAccess.Access.ROLES, Set.copyOf(roles), encrypted);
        }
    }
}
