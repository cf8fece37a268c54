package io.millrace.protocol;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A stream was ended before its exchange was whole, by either side. Carries the reason, and no stack trace. */
public class StreamResetException extends IOException {

    private static final long serialVersionUID = 1L;

    private final ResetReason reason;

    /**
     * The end of a stream.
     *
     * @param message for a log line
     */
    public StreamResetException(ResetReason reason, String message) {
        this(reason, message, null);
    }

    /** The same, with the transport's exception as the cause. */
    protected StreamResetException(ResetReason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why it was ended. */
    public final ResetReason reason() {
        return reason;
    }

    @Override
    public final Throwable fillInStackTrace() {
        return this;
    }
}
