package io.millrace.exchange;

import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import org.jspecify.annotations.Nullable;

/**
 * The client closed the connection or reset the stream, or the connection broke, before the response was complete. This
 * is not a server error, and is logged at debug level only. The reset reason is that of the cause, or {@link
 * ResetReason#CANCEL}.
 */
public final class ClientClosedException extends StreamResetException {

    private static final long serialVersionUID = 1L;

    /** An exception caused by the transport's exception. */
    public ClientClosedException(@Nullable Throwable cause) {
        this("the client closed the connection before the response was complete", cause);
    }

    private ClientClosedException(String message, @Nullable Throwable cause) {
        super(cause instanceof StreamResetException reset ? reset.reason() : ResetReason.CANCEL, message, cause);
    }

    /** An exception for a connection that ended before the request was complete. */
    static ClientClosedException withinRequest(Throwable cause) {
        return new ClientClosedException("the client closed the connection before its request was complete", cause);
    }
}
