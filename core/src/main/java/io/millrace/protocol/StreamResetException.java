package io.millrace.protocol;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A stream was reset by either side before its exchange was complete. Carries the reason, and has no stack trace. */
public class StreamResetException extends IOException {

    private static final long serialVersionUID = 1L;

    private final ResetReason reason;

    /**
     * An exception for a stream that was reset.
     *
     * @param reason why it was reset
     * @param message for the log
     */
    public StreamResetException(ResetReason reason, String message) {
        this(reason, message, null);
    }

    /** An exception for a stream that was reset, caused by an exception of the transport. */
    protected StreamResetException(ResetReason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why the stream was reset. */
    public final ResetReason reason() {
        return reason;
    }

    @Override
    public final Throwable fillInStackTrace() {
        return this;
    }
}
