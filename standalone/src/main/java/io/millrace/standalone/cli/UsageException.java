package io.millrace.standalone.cli;

/** The command line is invalid. The message names the wrong argument. */
public final class UsageException extends Exception {

    private static final long serialVersionUID = 1;

    /** Without a stack trace, which would not help the operator. */
    public UsageException(String message) {
        super(message, null, false, false);
    }
}
