package io.millrace.protocol.mux;

import io.millrace.protocol.StreamResetException;

/** The peer broke a rule that costs it the stream. */
final class StreamFault extends StreamResetException {

    private static final long serialVersionUID = 1L;

    StreamFault(Fault fault, String message) {
        super(fault.reason(), message);
    }
}
