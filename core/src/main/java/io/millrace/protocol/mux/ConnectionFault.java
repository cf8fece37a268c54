package io.millrace.protocol.mux;

import java.io.IOException;

/**
 * The peer broke a rule after which the connection is of no use: it is told so (GOAWAY), and the connection is closed. The
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

    /** What the peer is told. */
    public Fault fault() {
        return fault;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
