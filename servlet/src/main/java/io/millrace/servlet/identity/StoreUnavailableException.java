package io.millrace.servlet.identity;

/**
 * A store cannot verify credentials now, for example because its database or directory failed. The response is 503, and the
 * attempt does not count as a failed login.
 */
public final class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message for the operator's log: which store failed, and why; it must not contain passwords
     */
    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Creates an exception without a cause: the store has never worked. */
    public StoreUnavailableException(String message) {
        super(message);
    }
}
