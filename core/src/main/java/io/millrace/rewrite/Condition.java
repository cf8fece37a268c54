package io.millrace.rewrite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A RewriteCond: a text from the request, and its comparison. */
final class Condition {

    /** A comparison other than a pattern. */
    @FunctionalInterface
    private interface Test {

        boolean accepts(String text, RewriteScope scope);
    }

    private final Template text;
    private final boolean negated;
    private final boolean ignoresCase;
    /** Null for other comparisons. */
    private final @Nullable Pattern pattern;

    private final @Nullable Test test;
    private final boolean ofFiles;
    private final boolean orNext;

    private Condition(Template text, String comparison, boolean ignoresCase, boolean orNext) {
        this.text = text;
        this.ignoresCase = ignoresCase;
        this.orNext = orNext;
        negated = comparison.startsWith("!");
        String operand = negated ? comparison.substring(1) : comparison;
        test = test(operand);
        ofFiles = test != null && operand.startsWith("-");
        pattern = test != null ? null : Pattern.compile(operand, ignoresCase ? Pattern.CASE_INSENSITIVE : 0);
    }

    /**
     * Parses a condition.
     *
     * @param flags NC, OR or their long names
     * @throws IllegalArgumentException if it is invalid; the message says why
     */
    static Condition parse(String text, String comparison, Iterable<String> flags, Map<String, RewriteMap> maps) {
        boolean ignoresCase = false;
        boolean orNext = false;
        for (String flag : flags) {
            switch (flag) {
                case "NC", "nocase" -> ignoresCase = true;
                case "OR", "ornext" -> orNext = true;
                default ->
                    throw new IllegalArgumentException("RewriteCond has no flag " + flag + "; expected NC or OR");
            }
        }
        return new Condition(Template.parse(text, maps, false), comparison, ignoresCase, orNext);
    }

    boolean isOrNext() {
        return orNext;
    }

    boolean isBlocking() {
        return ofFiles || text.isBlocking();
    }

    /** The groups for later references if the condition is met: its own if it matches a pattern, otherwise unchanged. Null if it is not met. */
    @Nullable
    Groups meet(Groups groups, RewriteScope scope) {
        String value = text.expand(groups, scope);
        if (pattern == null) {
            String compared = ignoresCase && !ofFiles ? value.toLowerCase(Locale.ENGLISH) : value;
            return test != null && test.accepts(compared, scope) != negated ? groups : null;
        }
        Matcher matched = BoundedText.match(pattern, value, scope.budget());
        if (matched == null) {
            return negated ? groups : null;
        }
        return negated ? null : groups.with(matched);
    }

    /** Null for a pattern. */
    private static @Nullable Test test(String operand) {
        String other = operand.isEmpty() ? "" : operand.substring(1);
        return switch (operand.isEmpty() ? ' ' : operand.charAt(0)) {
            case '<' -> (text, scope) -> text.compareTo(other) < 0;
            case '>' -> (text, scope) -> text.compareTo(other) > 0;
            case '=' -> (text, scope) -> text.equals(other);
            case '-' ->
                switch (operand) {
                    case "-d" -> (text, scope) -> is(text, scope, Files::isDirectory);
                    case "-f" -> (text, scope) -> is(text, scope, Files::isRegularFile);
                    case "-s" ->
                        (text, scope) -> is(text, scope, file -> Files.isRegularFile(file) && Files.size(file) > 0);
                    default -> null;
                };
            default -> null;
        };
    }

    /** A test of a file. */
    @FunctionalInterface
    private interface FileTest {

        boolean of(Path file) throws IOException;
    }

    private static boolean is(String path, RewriteScope scope, FileTest fileTest) {
        try {
            Path file = scope.files().find(path);
            return file != null && fileTest.of(file);
        } catch (IOException | java.nio.file.InvalidPathException noFile) {
            return false;
        }
    }
}
