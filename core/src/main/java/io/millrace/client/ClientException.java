package io.millrace.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A request did not get a complete response. Has no stack trace, since it is about a peer. */
public final class ClientException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Why the request failed. */
    public enum Reason {
        /**
         * No connection could be established: the cause is a {@link io.millrace.io.DialException}, or the connection
         * ended as it was opened.
         */
        DIAL,
        /** The TLS handshake failed, for example because the peer's certificate is not trusted. */
        TLS,
        /** All connections are in use, and the maximum number of requests is waiting for one. */
        TOO_MANY_WAITING,
        /** All connections are in use, and none became free within the time limit. */
        WAITED_TOO_LONG,
        /** The peer does not accept the request now, or not on this connection, and has not processed it. */
        REFUSED,
        /** The peer closed the connection, or it broke. */
        CLOSED,
        /** The peer sent nothing within the time limit. */
        TIMED_OUT,
        /** The peer sent something that is not a valid response, or is ambiguous. */
        MALFORMED,
        /** The sender of the request aborted it. */
        ABORTED,
        /** The protocol cannot send this request; the message says why. */
        UNSUPPORTED,
        /** This side failed, for example for lack of memory; see the cause. */
        INTERNAL
    }

    /** Whether the peer may have processed the request. */
    public enum Processed {
        /** Certainly not: it can be sent again to any server, whatever its method. */
        NO,
        /** Unknown: sending it again is safe only if it is idempotent (RFC 9110, 9.2.2). */
        MAYBE,
        /** A response has begun. */
        YES
    }

    private final Reason reason;
    private final Processed processed;

    /** An exception with a message and a cause. */
    public ClientException(Reason reason, Processed processed, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.processed = processed;
    }

    /** Why the request failed. */
    public Reason reason() {
        return reason;
    }

    /** Whether the peer may have processed the request. */
    public Processed processed() {
        return processed;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
