package io.millrace.protocol.mux;

import io.millrace.protocol.ResetReason;

/**
 * Why a stream is reset or a connection closed, independent of the protocol. Each protocol maps these to its error codes,
 * and unknown codes to {@link #INTERNAL} (RFC 9113, 7).
 */
public enum Fault {
    /** No error. */
    NONE(ResetReason.CANCEL),
    /** A violation of the protocol. */
    PROTOCOL(ResetReason.PROTOCOL),
    /** The sender failed. */
    INTERNAL(ResetReason.INTERNAL),
    /** More was sent than a window allowed, or a window exceeded its maximum. */
    FLOW_CONTROL(ResetReason.PROTOCOL),
    /** Settings were not acknowledged in time. */
    SETTINGS_TIMEOUT(ResetReason.TIMEOUT),
    /** A frame on a stream that its sender had ended. */
    STREAM_CLOSED(ResetReason.PROTOCOL),
    /** A frame that is too large, or whose length is wrong for its type. */
    FRAME_SIZE(ResetReason.PROTOCOL),
    /** The request was not processed: it may be sent again. */
    REFUSED(ResetReason.REFUSED),
    /** The stream is no longer needed. */
    CANCEL(ResetReason.CANCEL),
    /** The state of the header compression was lost. */
    COMPRESSION(ResetReason.PROTOCOL),
    /** The connection for a CONNECT request broke. */
    CONNECT(ResetReason.INTERNAL),
    /** The peer causes excessive work. */
    ENHANCE_YOUR_CALM(ResetReason.PROTOCOL),
    /** TLS is weaker than the protocol requires. */
    INADEQUATE_SECURITY(ResetReason.PROTOCOL),
    /** The request requires HTTP/1.1. */
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
