package io.millrace.standalone.cli;

/** An error that the operator has to correct. The message is one line: what was found, and what to do. */
public final class OperatorException extends Exception {

    private static final long serialVersionUID = 1;

    /** Without a stack trace, which would not help the operator. */
    public OperatorException(String message) {
        super(message, null, false, false);
    }
}
