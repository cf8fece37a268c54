package io.millrace.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A dial failed. Its message names the address, and what was found. */
public final class DialException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Why there is no connection. In none of these cases has the peer received a byte of the application's. */
    public enum Reason {
        /** The host's name has no address, or the name service did not answer. */
        UNKNOWN_HOST,
        /** The host is there, but no socket listens on the port; or nothing is bound to the Unix domain socket's path. */
        REFUSED,
        /** There is no route to the host or its network. */
        UNREACHABLE,
        /** The timeout expired before the peer answered. */
        TIMED_OUT,
        /** {@link Dialer.Dial#cancel} was called. */
        CANCELLED,
        /** The dialer has been stopped. */
        STOPPED,
        /** The transport has no sockets for addresses of this kind. */
        UNSUPPORTED,
        /** This process or machine lacks a resource: a file descriptor, a local port, memory. */
        RESOURCES,
        /** The connection broke while it was made, or something else that the message says. */
        FAILED
    }

    private final Reason reason;

    /** With its message, and what led to it. */
    public DialException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }
}
