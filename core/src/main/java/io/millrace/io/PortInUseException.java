package io.millrace.io;

import java.net.BindException;
import java.net.InetSocketAddress;

/** Another socket listens on the port of a connector. The message names the address, says what to do and, if it is known, who listens. */
public final class PortInUseException extends BindException {

    private static final long serialVersionUID = 1L;

    private final InetSocketAddress address;

    /**
     * Of an address.
     *
     * @param message for the operator
     */
    public PortInUseException(String message, InetSocketAddress address, Throwable cause) {
        super(message);
        this.address = address;
        initCause(cause);
    }

    /** The address that is in use. */
    public InetSocketAddress address() {
        return address;
    }

    /** The port that is in use. */
    public int port() {
        return address.getPort();
    }
}
