package io.millrace.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A request got no whole response. Carries no stack trace: it is about a peer. */
public final class ClientException extends IOException {

    private static final long serialVersionUID = 1L;

    /** What failed. */
    public enum Reason {
        /** No connection could be made: the cause is a {@link io.millrace.io.DialException}. */
        DIAL,
        /** The TLS handshake failed: the peer is not trusted, for example. */
        TLS,
        /** All connections are in use, and as many requests wait for one as may. */
        TOO_MANY_WAITING,
        /** All connections are in use, and none became free in time. */
        WAITED_TOO_LONG,
        /** The peer takes the request not now, or not on this connection, and has done nothing for it. */
        REFUSED,
        /** The peer closed the connection, or it broke. */
        CLOSED,
        /** The peer sent nothing in time. */
        TIMED_OUT,
        /** The peer sent what is no response, or one that can be read in two ways. */
        MALFORMED,
        /** Whoever sent the request has given it up. */
        ABORTED,
        /** The protocol has no way to send such a request: the message says why. */
        UNSUPPORTED,
        /** This side failed, by lack of memory for example: the cause says how. */
        INTERNAL
    }

    /** Whether the peer may have acted on the request. */
    public enum Processed {
        /** Certainly not: it can be repeated elsewhere, whatever its method. */
        NO,
        /** Nobody knows: repeating it is safe only if it is idempotent (RFC 9110, 9.2.2). */
        MAYBE,
        /** A response has begun. */
        YES
    }

    private final Reason reason;
    private final Processed processed;

    /** With its message, and what led to it. */
    public ClientException(Reason reason, Processed processed, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.processed = processed;
    }

    /** What failed. */
    public Reason reason() {
        return reason;
    }

    /** Whether the peer may have acted on the request. */
    public Processed processed() {
        return processed;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
