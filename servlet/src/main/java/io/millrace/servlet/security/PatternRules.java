package io.millrace.servlet.security;

import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The constraints of one URL pattern. */
final class PatternRules {

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
