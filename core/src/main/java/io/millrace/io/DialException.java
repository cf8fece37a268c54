package io.millrace.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An outgoing connection could not be established. The message names the address and the reason. */
public final class DialException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Why there is no connection. In all of these cases the peer has not received any of the application's bytes. */
    public enum Reason {
        /** The host name has no address, or the name service did not respond. */
        UNKNOWN_HOST,
        /** The host responded, but no socket is listening on the port, or at the Unix domain socket's path. */
        REFUSED,
        /** There is no route to the host or its network. */
        UNREACHABLE,
        /** The timeout expired before the connection was established. */
        TIMED_OUT,
        /** {@link Dialer.Dial#cancel} was called. */
        CANCELLED,
        /** The dialer has been stopped. */
        STOPPED,
        /** The transport does not support this kind of address. */
        UNSUPPORTED,
        /** This process or machine lacks a resource: a file descriptor, a local port, memory. */
        RESOURCES,
        /** The connection failed while it was being established, or for another reason that the message gives. */
        FAILED
    }

    private final Reason reason;

    /** An exception with a message and a cause. */
    public DialException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why there is no connection. */
    public Reason reason() {
        return reason;
    }
}
