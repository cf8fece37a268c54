package io.millrace.exchange;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The client is gone, or its connection broke, before it had the whole response. Nobody's fault here: logged at debug
 * level only. Carries no stack trace.
 */
public final class ClientClosedException extends IOException {

    private static final long serialVersionUID = 1L;

    /** What the transport said becomes the cause. */
    public ClientClosedException(@Nullable Throwable cause) {
        this("the client closed the connection before it had the whole response", cause);
    }

    private ClientClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The same before its request had come whole. */
    static ClientClosedException withinRequest(Throwable cause) {
        return new ClientClosedException("the client closed the connection before its request had come whole", cause);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
