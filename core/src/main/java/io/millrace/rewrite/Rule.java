package io.millrace.rewrite;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A RewriteRule with its conditions. Thread-safe. */
final class Rule {

    private final Pattern pattern;
    private final List<Condition> conditions;
    /** Null for "-", which replaces nothing. */
    private final @Nullable Template substitution;

    private final RuleFlags flags;
    private final Map<String, Template> environment = new LinkedHashMap<>();
    private final @Nullable Template cookie;

    /** @throws IllegalArgumentException if it is invalid; the message says why */
    Rule(
            String pattern,
            String substitution,
            RuleFlags flags,
            List<Condition> conditions,
            Map<String, RewriteMap> maps) {
        this.pattern = Pattern.compile(pattern, flags.ignoresCase() ? Pattern.CASE_INSENSITIVE : 0);
        this.substitution =
                substitution.equals("-") ? null : Template.parse(substitution, maps, flags.escapesReferences());
        this.flags = flags;
        this.conditions = List.copyOf(conditions);
        flags.environment().forEach((name, value) -> environment.put(name, Template.parse(value, maps, false)));
        CookieFlag set = flags.cookie();
        cookie = set == null ? null : Template.parse(set.value(), maps, false);
    }

    RuleFlags flags() {
        return flags;
    }

    boolean isBlocking() {
        return conditions.stream().anyMatch(Condition::isBlocking)
                || substitution != null && substitution.isBlocking()
                || cookie != null && cookie.isBlocking()
                || environment.values().stream().anyMatch(Template::isBlocking);
    }

    /** The rewritten text; the same if nothing is replaced; null if it does not match, or a condition is not met. */
    @Nullable
    String apply(String text, RewriteScope scope) {
        Matcher matched = BoundedText.match(pattern, text, scope.budget());
        Groups groups = matched == null ? null : meet(new Groups(matched, null), scope);
        if (groups == null) {
            return null;
        }
        environment.forEach((name, value) -> scope.environment().put(name, value.expand(groups, scope)));
        CookieFlag set = flags.cookie();
        if (set != null && cookie != null) {
            scope.exchange().response().headers().add("Set-Cookie", set.field(cookie.expand(groups, scope)));
        }
        return substitution == null ? text : substitution.expand(groups, scope);
    }

    /** Tests all conditions, of which those joined by OR count as one; null if they are not met. */
    private @Nullable Groups meet(Groups groups, RewriteScope scope) {
        Groups met = groups;
        int at = 0;
        while (at < conditions.size()) {
            Groups found = conditions.get(at).meet(met, scope);
            while (found == null && conditions.get(at).isOrNext() && at + 1 < conditions.size()) {
                found = conditions.get(++at).meet(met, scope);
            }
            if (found == null) {
                return null;
            }
            met = found;
            while (at + 1 < conditions.size() && conditions.get(at).isOrNext()) {
                at++; // already met
            }
            at++;
        }
        return met;
    }
}
