package io.millrace.standalone.cli;

/** Something only the operator can mend. The message is one line that says what was found and what to do. */
public final class OperatorException extends Exception {

    private static final long serialVersionUID = 1;

    /** Has no stack trace: it would tell the operator nothing. */
    public OperatorException(String message) {
        super(message, null, false, false);
    }
}
