package io.millrace.protocol.mux;

import io.millrace.protocol.StreamResetException;

/** A violation by the peer that ends the stream. */
public final class StreamFault extends StreamResetException {

    private static final long serialVersionUID = 1L;

    StreamFault(Fault fault, String message) {
        super(fault.reason(), message);
    }
}
