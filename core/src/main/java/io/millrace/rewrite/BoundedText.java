package io.millrace.rewrite;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text that a pattern may look at so many times only. Patterns of java.util.regex backtrack: for some of them a client finds a
 * path of a hundred characters that would take years.
 */
final class BoundedText implements CharSequence {

    /** A pattern that does not backtrack looks at each character a few times; a path has some thousand at most. */
    private static final int MOST_LOOKS = 1_000_000;

    /** What the patterns of all rules may look at for one request. For one thread at a time. */
    static final class Budget {
        private int left = MOST_LOOKS;
    }

    /** Matching took too long; what was asked for is not known to be allowed. */
    static final class ExhaustedException extends RuntimeException {

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
     * A matcher whose work is bounded.
     *
     * @return null if the whole text does not match
     * @throws ExhaustedException if that takes too long
     */
    @org.jspecify.annotations.Nullable
    static Matcher match(Pattern pattern, String text, Budget budget) {
        Matcher matcher = pattern.matcher(new BoundedText(text, budget));
        try {
            return matcher.matches() ? matcher : null;
        } catch (StackOverflowError deep) {
            throw new ExhaustedException("the pattern " + pattern + " recurses too deeply on what a client sent");
        }
    }

    @Override
    public char charAt(int index) {
        if (--budget.left < 0) {
            throw new ExhaustedException("the patterns of the rules backtrack too long on what a client sent");
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
