package io.millrace.protocol.mux;

import java.io.IOException;

/**
 * A violation that ends the connection: GOAWAY names it, and the connection is closed. The
 * peer's fault, so without a stack trace.
 */
public final class ConnectionFault extends IOException {

    private static final long serialVersionUID = 1L;

    private final Fault fault;

    /**
     * A broken rule.
     *
     * @param message what was found and what was expected, for a log line; repeats nothing that the peer sent
     */
    public ConnectionFault(Fault fault, String message) {
        super(message);
        this.fault = fault;
    }

    /** The error that GOAWAY names. */
    public Fault fault() {
        return fault;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
