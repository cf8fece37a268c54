package io.millrace.http;

import org.jspecify.annotations.Nullable;

/** The head of a response: everything except the body. Mutable until the response is committed. Not thread-safe. */
public final class ResponseHead {

    /** Most responses have hardly more than a Content-Type: what the protocol itself writes is not among them. */
    private static final int FIELDS = 4;

    private final Headers headers = new Headers(FIELDS);
    private int status = 200;
    private @Nullable String reason;
    private long contentLength = -1;
    private @Nullable Headers trailers;

    public int status() {
        return status;
    }

    /**
     * Sets the status code.
     *
     * @throws IllegalArgumentException if it is not between 100 and 999 (RFC 9110, 15)
     */
    public ResponseHead status(int value) {
        if (value < 100 || value > 999) {
            throw new IllegalArgumentException("the status is " + value + "; expected three digits, 100 to 999");
        }
        status = value;
        return this;
    }

    /** The reason phrase; null for the standard one. HTTP/2 does not transmit it. */
    public @Nullable String reason() {
        return reason;
    }

    public ResponseHead reason(@Nullable String value) {
        reason = value;
        return this;
    }

    /**
     * The header fields, except {@code Content-Length}, {@code Transfer-Encoding}, {@code Connection} and {@code Date},
     * which the protocol writes.
     */
    public Headers headers() {
        return headers;
    }

    /** The length of the body in bytes; -1 if it is unknown. */
    public long contentLength() {
        return contentLength;
    }

    public ResponseHead contentLength(long bytes) {
        contentLength = bytes;
        return this;
    }

    /** The trailer fields; null if there are none. */
    public @Nullable Headers trailers() {
        return trailers;
    }

    /**
     * Sets fields that are sent after the body (RFC 9110, 6.5). Must be called before the head is sent; the fields may
     * be added until the body has ended, so that they can depend on it. They are sent whether or not the client
     * announced {@code TE: trailers}, and omitted where the protocol has no trailers, as are fields that RFC 9110, 6.5.1
     * does not allow there. Do not set a content length: an HTTP/1.1 response with a Content-Length has no trailers.
     */
    public ResponseHead trailers(@Nullable Headers fields) {
        trailers = fields;
        return this;
    }
}
