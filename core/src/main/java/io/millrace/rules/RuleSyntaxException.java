package io.millrace.rules;

/**
 * Rules are invalid. The message says what was found, what was expected and the nearest name, and shows the line with a caret below
 * the place.
 */
public final class RuleSyntaxException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private static final int MAX_SHOWN = 120;

    private final int line;
    private final int column;
    private final String what;
    private final String shown;

    /** A mistake at an index of the text. */
    RuleSyntaxException(String text, int at, String what) {
        super("", null);
        int end = Math.min(at, text.length());
        int start = text.lastIndexOf('\n', end - 1) + 1;
        this.line = 1
                + (int) text.substring(0, start).chars().filter(c -> c == '\n').count();
        this.column = end - start + 1;
        this.what = what;
        this.shown = shown(text, start, end);
    }

    /** Part of the line, if it is long, and the caret. Control characters are replaced, as they could forge lines of a log. */
    private static String shown(String text, int start, int at) {
        int lineEnd = text.indexOf('\n', at);
        int end = lineEnd < 0 ? text.length() : lineEnd;
        int from = Math.max(start, at - MAX_SHOWN / 2);
        int to = Math.min(end, from + MAX_SHOWN);
        String part = text.substring(from, to).replaceAll("\\p{Cntrl}", " ");
        return "    " + part + "\n    " + " ".repeat(at - from) + "^";
    }

    /** The number of the line, from 1. */
    public int line() {
        return line;
    }

    /** The number of the character in its line, from 1. */
    public int column() {
        return column;
    }

    /** {@code 3:14: what}, and the line with a caret below the place. */
    @Override
    public String getMessage() {
        return line + ":" + column + ": " + what + "\n" + shown;
    }
}
