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
    private final String detail;

    /**
     * An exception for an address.
     *
     * @param address the address as the caller gave it
     * @param detail what happened, without the address
     */
    public DialException(Reason reason, String address, String detail, @Nullable Throwable cause) {
        super("cannot connect to " + address + ": " + detail, cause);
        this.reason = reason;
        this.detail = detail;
    }

    /** Why there is no connection. */
    public Reason reason() {
        return reason;
    }

    /** What happened, without the address: {@code Connection refused}. */
    public String detail() {
        return detail;
    }
}
