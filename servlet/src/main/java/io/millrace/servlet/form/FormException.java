package io.millrace.servlet.form;

/**
 * The client sent parameters or parts that can't be accepted. An IllegalStateException because that is what {@code
 * getPart} promises; if it leaves the servlet the container answers with {@link #status}. No stack trace.
 */
public final class FormException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String message;

    /**
     * A refusal.
     *
     * @param status 400 or 413
     * @param message what was found, what is allowed, and the attribute that allows more
     */
    public FormException(int status, String message) {
        super(message);
        this.message = message;
        this.status = status;
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
