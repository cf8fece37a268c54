package io.millrace.connector.spdy;

import io.millrace.protocol.mux.Fault;

/** The status codes of RST_STREAM (SPDY/3, 2.6.3) and GOAWAY (2.6.6). */
final class SpdyStatus {

    private static final int PROTOCOL_ERROR = 1;
    private static final int INVALID_STREAM = 2;
    private static final int REFUSED_STREAM = 3;
    private static final int CANCEL = 5;
    private static final int INTERNAL_ERROR = 6;
    private static final int FLOW_CONTROL_ERROR = 7;
    private static final int STREAM_ALREADY_CLOSED = 9;
    private static final int FRAME_TOO_LARGE = 11;

    private static final int GO_AWAY_OK = 0;
    private static final int GO_AWAY_INTERNAL_ERROR = 2;

    private SpdyStatus() {}

    /** The code of a stream's reset. There is none for "no error": the rest of a request whose response is complete is cancelled. */
    static int ofReset(Fault fault) {
        return switch (fault) {
            case NONE, CANCEL -> CANCEL;
            case REFUSED, HTTP_1_1_REQUIRED -> REFUSED_STREAM;
            case INTERNAL, CONNECT -> INTERNAL_ERROR;
            case FLOW_CONTROL -> FLOW_CONTROL_ERROR;
            case STREAM_CLOSED -> STREAM_ALREADY_CLOSED;
            case FRAME_SIZE -> FRAME_TOO_LARGE;
            case PROTOCOL, SETTINGS_TIMEOUT, COMPRESSION, ENHANCE_YOUR_CALM, INADEQUATE_SECURITY -> PROTOCOL_ERROR;
        };
    }

    /** The code of a connection's end. */
    static int ofGoAway(Fault fault) {
        return switch (fault) {
            case NONE -> GO_AWAY_OK;
            case INTERNAL, CONNECT -> GO_AWAY_INTERNAL_ERROR;
            default -> PROTOCOL_ERROR;
        };
    }

    /** The reason of a RST_STREAM's code; an unknown one counts as INTERNAL_ERROR. */
    static Fault reset(int code) {
        return switch (code) {
            case PROTOCOL_ERROR -> Fault.PROTOCOL;
            case INVALID_STREAM, STREAM_ALREADY_CLOSED -> Fault.STREAM_CLOSED;
            case REFUSED_STREAM -> Fault.REFUSED;
            case CANCEL -> Fault.CANCEL;
            case FLOW_CONTROL_ERROR -> Fault.FLOW_CONTROL;
            case FRAME_TOO_LARGE -> Fault.FRAME_SIZE;
            default -> Fault.INTERNAL;
        };
    }

    /** The reason of a GOAWAY's code. */
    static Fault goAway(int code) {
        return switch (code) {
            case GO_AWAY_OK -> Fault.NONE;
            case PROTOCOL_ERROR -> Fault.PROTOCOL;
            default -> Fault.INTERNAL;
        };
    }
}
