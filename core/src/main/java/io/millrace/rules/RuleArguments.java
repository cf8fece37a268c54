package io.millrace.rules;

import io.millrace.net.AddressSet;
import io.millrace.text.EditDistance;
import io.millrace.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one predicate or action, read by their names. The first parameter that is declared takes those without a name;
 * if there are several parameters and as many arguments without a name, they are taken in order.
 */
final class RuleArguments {

    private static final Pattern RATE = Pattern.compile("(\\d{1,9})/(\\d{0,6})(ms|s|m|h|d)");

    private final String text;
    private final RuleParser.Call call;
    private final List<String> parameters;
    private final boolean listFirst;

    private RuleArguments(String text, RuleParser.Call call, List<String> parameters, boolean listFirst) {
        this.text = text;
        this.call = call;
        this.parameters = parameters;
        this.listFirst = listFirst;
    }

    /** A rate: so many requests in a time. */
    record Rate(int requests, Duration per) {}

    /**
     * The arguments of a call.
     *
     * @param parameters the names that it may have, the one that needs none first; with an asterisk behind it, it is a list, to
     *     which all values without a name belong
     */
    static RuleArguments of(String text, RuleParser.Call call, String... parameters) {
        boolean listFirst = parameters.length > 0 && parameters[0].endsWith("*");
        List<String> names =
                Stream.of(parameters).map(name -> name.replace("*", "")).toList();
        RuleArguments arguments = new RuleArguments(text, call, names, listFirst);
        arguments.check();
        return arguments;
    }

    private void check() {
        List<String> seen = new ArrayList<>();
        for (RuleParser.Argument argument : call.arguments()) {
            String name = argument.name();
            if (parameters.isEmpty()) {
                throw wrong(argument.at(), "'" + call.name() + "' has no arguments");
            }
            if (name != null && !parameters.contains(name)) {
                throw wrong(
                        argument.at(),
                        "'" + call.name() + "' has no argument '" + name + "'" + suggestion(name, parameters));
            }
            if (name != null && seen.contains(name)) {
                throw wrong(argument.at(), "there are two arguments '" + name + "'; expected one");
            }
            if (name != null) {
                seen.add(name);
            }
        }
        long unnamed = call.arguments().stream()
                .filter(argument -> argument.name() == null)
                .count();
        if (!listFirst && unnamed > Math.max(1, parameters.size())) {
            throw wrong("'" + call.name() + "' has " + unnamed + " arguments; expected at most " + parameters.size());
        }
    }

    /** The nearest name, or all of them. */
    static String suggestion(String name, List<String> names) {
        String nearest = EditDistance.suggestion(name, names);
        return nearest.isEmpty() ? "; expected " + String.join(", ", names) : nearest;
    }

    /** A mistake in the call as a whole. */
    RuleSyntaxException wrong(String what) {
        return wrong(call.at(), what);
    }

    private RuleSyntaxException wrong(int at, String what) {
        return new RuleSyntaxException(text, at, what);
    }

    /** Whether an argument is written. */
    boolean has(String parameter) {
        return !values(parameter).isEmpty();
    }

    private List<RuleParser.Value> values(String parameter) {
        List<RuleParser.Value> unnamed = new ArrayList<>();
        List<RuleParser.Argument> withoutName = new ArrayList<>();
        for (RuleParser.Argument argument : call.arguments()) {
            if (parameter.equals(argument.name())) {
                return argument.values();
            }
            if (argument.name() == null) {
                unnamed.addAll(argument.values());
                withoutName.add(argument);
            }
        }
        boolean inOrder = withoutName.size() > 1 && withoutName.size() <= parameters.size() && !listFirst;
        if (inOrder) {
            int index = parameters.indexOf(parameter);
            return index < withoutName.size() ? withoutName.get(index).values() : List.of();
        }
        return parameters.get(0).equals(parameter) ? unnamed : List.of();
    }

    /** All values of a parameter; not empty. */
    <T> List<T> list(String parameter, String expected, Function<String, @Nullable T> type) {
        List<RuleParser.Value> values = values(parameter);
        if (values.isEmpty()) {
            throw wrong("'" + call.name() + "' needs " + expected
                    + (parameters.indexOf(parameter) == 0 ? "" : " as its argument '" + parameter + "'"));
        }
        List<T> all = new ArrayList<>();
        for (RuleParser.Value value : values) {
            all.add(read(value, expected, type));
        }
        return all;
    }

    private <T> T read(RuleParser.Value value, String expected, Function<String, @Nullable T> type) {
        T read;
        try {
            read = type.apply(value.text());
        } catch (IllegalArgumentException e) {
            throw wrong(value.at(), firstLine(e));
        }
        if (read == null) {
            throw wrong(value.at(), "found '" + value.text() + "'; expected " + expected);
        }
        return read;
    }

    private static String firstLine(IllegalArgumentException e) {
        String message = String.valueOf(
                e instanceof PatternSyntaxException pattern
                        ? "the regular expression is malformed: " + pattern.getDescription() + " at character "
                                + (pattern.getIndex() + 1)
                        : e.getMessage());
        return message.lines().findFirst().orElse("");
    }

    /** The one value of a parameter. */
    <T> T one(String parameter, String expected, Function<String, @Nullable T> type) {
        List<T> all = list(parameter, expected, type);
        if (all.size() > 1) {
            throw wrong(
                    values(parameter).get(1).at(),
                    "'" + call.name() + "' takes one value" + (parameters.size() > 1 ? " of '" + parameter + "'" : "")
                            + "; expected " + expected);
        }
        return all.get(0);
    }

    /** The one value of a parameter, or the default. */
    <T> T one(String parameter, String expected, Function<String, @Nullable T> type, T byDefault) {
        return has(parameter) ? one(parameter, expected, type) : byDefault;
    }

    /** {@code true} or {@code false}. */
    static @Nullable Boolean flag(String text) {
        return text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null;
    }

    /** A whole number that is not negative. */
    static @Nullable Integer number(String text) {
        return text.matches("\\d{1,9}") ? Integer.valueOf(text) : null;
    }

    /** A rate: {@code 20/s}, {@code 100/m}, {@code 5/10s}. */
    static @Nullable Rate rate(String text) {
        Matcher matcher = RATE.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        String count = matcher.group(2).isEmpty() ? "1" : matcher.group(2);
        Duration per = TimeText.parse(count + matcher.group(3));
        return per == null ? null : new Rate(Integer.parseInt(matcher.group(1)), per);
    }

    /** Addresses and ranges. */
    static @Nullable AddressSet addresses(String text) {
        AddressSet set = AddressSet.parse(text);
        return set.isEmpty() ? null : set;
    }
}
