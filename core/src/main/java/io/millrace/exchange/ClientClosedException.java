package io.millrace.exchange;

import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import org.jspecify.annotations.Nullable;

/**
 * The client is gone, or its connection broke, before it had the whole response. Nobody's fault here: logged at debug
 * level only. Its reason is that of the cause, or {@link ResetReason#CANCEL}.
 */
public final class ClientClosedException extends StreamResetException {

    private static final long serialVersionUID = 1L;

    /** The transport's exception is the cause. */
    public ClientClosedException(@Nullable Throwable cause) {
        this("the client closed the connection before it had the whole response", cause);
    }

    private ClientClosedException(String message, @Nullable Throwable cause) {
        super(cause instanceof StreamResetException reset ? reset.reason() : ResetReason.CANCEL, message, cause);
    }

    /** The same before its request had come whole. */
    static ClientClosedException withinRequest(Throwable cause) {
        return new ClientClosedException("the client closed the connection before its request was complete", cause);
    }
}
