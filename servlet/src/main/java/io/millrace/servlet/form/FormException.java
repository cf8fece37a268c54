package io.millrace.servlet.form;

/**
 * The client sent parameters or parts that can't be accepted. An IllegalStateException because that is what {@code
 * getPart} promises; if it leaves the servlet the container answers with {@link #status}. No stack trace.
 */
public final class FormException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final boolean malformed;
    private final String message;

    /**
     * A refusal.
     *
     * @param status 400 or 413
     * @param message what was found, what is allowed, and the attribute that allows more
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

    /** What the client sent can't be read, whatever is allowed: 400. */
    static FormException malformed(String message) {
        return new FormException(400, true, message);
    }

    /** False at a limit. */
    boolean isMalformed() {
        return malformed;
    }

    @Override
    public String getMessage() {
        return message;
    }

    /** The status to answer. */
    public int status() {
        return status;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
