package io.millrace.servlet.model;

import org.jspecify.annotations.Nullable;

/**
 * A web application is invalid and cannot be deployed. The message is one sentence for the operator: what was found, where,
 * what was expected, and what to do. The exception has no stack trace, because the error is in the WAR.
 */
public final class DeploymentException extends Exception {

    private static final long serialVersionUID = 1L;

    public DeploymentException(String message) {
        super(message, null, false, false);
    }

    public DeploymentException(String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
    }

    /** The same with the name of the WAR before its message. */
    public DeploymentException in(String war) {
        return new DeploymentException(war + ": " + getMessage(), getCause());
    }

    /** Never null. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
