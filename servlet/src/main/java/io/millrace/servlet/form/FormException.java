package io.millrace.servlet.form;

/**
 * The parameters, parts or cookies of a request are malformed or exceed a limit. An IllegalStateException, because {@code
 * getPart} specifies that. If the servlet does not catch it, the response has the {@link #status}. It has no stack trace.
 */
public final class FormException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final boolean malformed;
    private final String message;

    /**
     * Creates an exception for a limit.
     *
     * @param status 400 or 413
     * @param message what was found, the limit, and the setting that raises it
     */
    public FormException(int status, String message) {
        this(status, false, message);
    }

    private FormException(int status, boolean malformed, String message) {
        super(message);
        this.message = message;
        this.malformed = malformed;
        this.status = status;
    }

    /** Creates an exception for malformed input, with status 400. */
    static FormException malformed(String message) {
        return new FormException(400, true, message);
    }

    /** Whether the input is malformed; otherwise it exceeds a limit. */
    boolean isMalformed() {
        return malformed;
    }

    @Override
    public String getMessage() {
        return message;
    }

    /** The status of the response: 400 or 413. */
    public int status() {
        return status;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
