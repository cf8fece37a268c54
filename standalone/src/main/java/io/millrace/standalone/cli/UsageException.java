package io.millrace.standalone.cli;

/** The command line is wrong. The message says which word of it. */
public final class UsageException extends Exception {

    private static final long serialVersionUID = 1;

    /** Has no stack trace: it would tell the operator nothing. */
    public UsageException(String message) {
        super(message, null, false, false);
    }
}
