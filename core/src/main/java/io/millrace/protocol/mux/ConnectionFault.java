package io.millrace.protocol.mux;

import java.io.IOException;

/**
 * A violation by the peer that ends the connection: it is reported in GOAWAY, and the connection is closed. Has no stack
 * trace.
 */
public final class ConnectionFault extends IOException {

    private static final long serialVersionUID = 1L;

    private final Fault fault;

    /**
     * A violation.
     *
     * @param message what was found and what was expected, for the log; must not repeat anything that the peer sent
     */
    public ConnectionFault(Fault fault, String message) {
        super(message);
        this.fault = fault;
    }

    /** The error that GOAWAY reports. */
    public Fault fault() {
        return fault;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
