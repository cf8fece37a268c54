package io.millrace.protocol.mux;

import io.millrace.protocol.ResetReason;

/**
 * Why a stream is reset or a connection given up, in words that no protocol's codes are needed for. Each protocol maps them to
 * its own codes, and unknown codes to {@link #INTERNAL} (RFC 9113, 7).
 */
public enum Fault {
    /** Nothing is wrong. */
    NONE(ResetReason.CANCEL),
    /** What was sent is not allowed there. */
    PROTOCOL(ResetReason.PROTOCOL),
    /** The sender failed. */
    INTERNAL(ResetReason.INTERNAL),
    /** More was sent than a window allowed, or a window was opened beyond its maximum. */
    FLOW_CONTROL(ResetReason.PROTOCOL),
    /** Settings were not acknowledged in time. */
    SETTINGS_TIMEOUT(ResetReason.TIMEOUT),
    /** A frame for a stream whose sender had ended it. */
    STREAM_CLOSED(ResetReason.PROTOCOL),
    /** A frame that is too large, or not as long as its kind is. */
    FRAME_SIZE(ResetReason.PROTOCOL),
    /** Nothing was done for the request: it may be sent again. */
    REFUSED(ResetReason.REFUSED),
    /** The stream is not wanted any more. */
    CANCEL(ResetReason.CANCEL),
    /** The state of the header compression was lost. */
    COMPRESSION(ResetReason.PROTOCOL),
    /** The connection behind a CONNECT broke. */
    CONNECT(ResetReason.INTERNAL),
    /** The peer causes more work than is reasonable. */
    ENHANCE_YOUR_CALM(ResetReason.PROTOCOL),
    /** TLS is weaker than the protocol demands. */
    INADEQUATE_SECURITY(ResetReason.PROTOCOL),
    /** HTTP/1.1 is needed for the request. */
    HTTP_1_1_REQUIRED(ResetReason.REFUSED);

    private final ResetReason reason;

    Fault(ResetReason reason) {
        this.reason = reason;
    }

    /** The reset reason of an exchange whose peer sends this error. */
    public ResetReason reason() {
        return reason;
    }

    /** The error that is sent when an exchange is reset for this reason. */
    public static Fault of(ResetReason reason) {
        return switch (reason) {
            case CANCEL, TIMEOUT -> CANCEL;
            case REFUSED -> REFUSED;
            case PROTOCOL -> PROTOCOL;
            case INTERNAL -> INTERNAL;
        };
    }
}
