package io.millrace.rewrite;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Text with a limit on the work of matching. Patterns of java.util.regex backtrack: for some of them, a path of a hundred
 * characters takes years (ReDoS).
 */
public final class BoundedText implements CharSequence {

    /** A pattern that does not backtrack reads each character a few times, and a path has at most a few thousand. */
    private static final int MAX_READS = 1_000_000;

    /** The number of characters that the patterns of all rules may still read for one request. Not thread-safe. */
    public static final class Budget {
        private int left = MAX_READS;
    }

    /** Matching was aborted, so it is unknown whether the request is allowed. */
    public static final class ExhaustedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        ExhaustedException(String message) {
            super(message, null, false, false);
        }
    }

    private final String text;
    private final Budget budget;

    private BoundedText(String text, Budget budget) {
        this.text = text;
        this.budget = budget;
    }

    /**
     * Matches a text within the budget.
     *
     * @return null if the entire text does not match
     * @throws ExhaustedException if the budget is exhausted
     */
    public static @Nullable Matcher match(Pattern pattern, String text, Budget budget) {
        return run(pattern, text, budget, Matcher::matches);
    }

    /**
     * Looks for the first part of a text that matches, within the budget.
     *
     * @return null if there is none
     * @throws ExhaustedException if the budget is exhausted
     */
    public static @Nullable Matcher find(Pattern pattern, String text, Budget budget) {
        return run(pattern, text, budget, Matcher::find);
    }

    private static @Nullable Matcher run(Pattern pattern, String text, Budget budget, Predicate<Matcher> way) {
        Matcher matcher = pattern.matcher(new BoundedText(text, budget));
        try {
            return way.test(matcher) ? matcher : null;
        } catch (StackOverflowError deep) {
            throw new ExhaustedException("the pattern " + pattern + " recurses too deeply on a client's input");
        }
    }

    @Override
    public char charAt(int index) {
        if (--budget.left < 0) {
            throw new ExhaustedException("the patterns of the rules backtrack too long on a client's input");
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
