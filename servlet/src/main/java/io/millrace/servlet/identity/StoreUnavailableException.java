package io.millrace.servlet.identity;

/** A store can't tell now who may log in: its database or directory does not answer. Nobody's failed attempt. */
public final class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Wraps what went wrong.
     *
     * @param message for the operator: which store, what to look at; no passwords
     */
    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
