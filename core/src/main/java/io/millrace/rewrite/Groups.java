package io.millrace.rewrite;

import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * The matches to which templates refer.
 *
 * @param rule the match of the rule's pattern, {@code $1}
 * @param condition the last match of a condition's pattern, {@code %1}; null if there is none yet
 */
record Groups(Matcher rule, @Nullable Matcher condition) {

    String ofRule(int number) {
        return of(rule, number);
    }

    String ofCondition(int number) {
        return condition == null ? "" : of(condition, number);
    }

    Groups with(Matcher matched) {
        return new Groups(rule, matched);
    }

    private static String of(Matcher matcher, int number) {
        String group = number > matcher.groupCount() ? null : matcher.group(number);
        return group == null ? "" : group;
    }
}
