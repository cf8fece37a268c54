package io.millrace.connector.http2;

import io.millrace.protocol.mux.Fault;
import java.util.EnumMap;
import java.util.Map;

/** The error codes of GOAWAY and RST_STREAM (RFC 9113, 7). */
final class ErrorCode {

    private static final int INTERNAL_ERROR = 2;

    /** The reasons, indexed by code. */
    private static final Fault[] FAULTS = {
        Fault.NONE,
        Fault.PROTOCOL,
        Fault.INTERNAL,
        Fault.FLOW_CONTROL,
        Fault.SETTINGS_TIMEOUT,
        Fault.STREAM_CLOSED,
        Fault.FRAME_SIZE,
        Fault.REFUSED,
        Fault.CANCEL,
        Fault.COMPRESSION,
        Fault.CONNECT,
        Fault.ENHANCE_YOUR_CALM,
        Fault.INADEQUATE_SECURITY,
        Fault.HTTP_1_1_REQUIRED
    };

    private static final Map<Fault, Integer> CODES = new EnumMap<>(Fault.class);

    static {
        for (int code = 0; code < FAULTS.length; code++) {
            CODES.put(FAULTS[code], code);
        }
    }

    private ErrorCode() {}

    /** The code of a reason. */
    static int of(Fault fault) {
        return CODES.getOrDefault(fault, INTERNAL_ERROR);
    }

    /** The reason of a code that the peer sent; an unknown one counts as INTERNAL_ERROR. */
    static Fault fault(long code) {
        return code < FAULTS.length ? FAULTS[(int) code] : Fault.INTERNAL;
    }
}
