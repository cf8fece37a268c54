package io.millrace.http;

import org.jspecify.annotations.Nullable;

/** A response without its body. Changeable until it is committed. Not for two threads at once. */
public final class ResponseHead {

    private final Headers headers = new Headers();
    private int status = 200;
    private @Nullable String reason;
    private long contentLength = -1;
    private @Nullable Headers trailers;

    public int status() {
        return status;
    }

    /**
     * Sets the status.
     *
     * @throws IllegalArgumentException if it has not three digits (RFC 9110, 15)
     */
    public ResponseHead status(int value) {
        if (value < 100 || value > 999) {
            throw new IllegalArgumentException("the status is " + value + "; expected three digits, 100 to 999");
        }
        status = value;
        return this;
    }

    /** The reason phrase, if it is not the standard one. */
    public @Nullable String reason() {
        return reason;
    }

    public ResponseHead reason(@Nullable String value) {
        reason = value;
        return this;
    }

    /** All fields but {@code Content-Length}, {@code Transfer-Encoding}, {@code Connection} and {@code Date}, which the protocol writes. */
    public Headers headers() {
        return headers;
    }

    /** The body's length in bytes; -1 if it is not known. */
    public long contentLength() {
        return contentLength;
    }

    public ResponseHead contentLength(long bytes) {
        contentLength = bytes;
        return this;
    }

    /** The fields after the body; null if there are to be none. */
    public @Nullable Headers trailers() {
        return trailers;
    }

    /**
     * Fields to be sent after the body (RFC 9110, 6.5). To be named before the head is sent, and may be filled until the body
     * has ended: so they can depend on the whole body. They are sent if the protocol can, whether or
     * not the client has said that it looks at them ({@code TE: trailers}), and dropped otherwise; those that RFC 9110, 6.5.1 does not allow there are left
     * out. The body's length is then not to be announced: a response with a Content-Length has no trailers.
     */
    public ResponseHead trailers(@Nullable Headers fields) {
        trailers = fields;
        return this;
    }
}
