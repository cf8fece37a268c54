package io.millrace.rewrite;

/** A line of rewrite rules is invalid. The message says what was found and what was expected. */
public final class RewriteSyntaxException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final int line;

    RewriteSyntaxException(int line, String message, Throwable cause) {
        super(message, cause);
        this.line = line;
    }

    /** The number of the line, from 1. */
    public int line() {
        return line;
    }
}
