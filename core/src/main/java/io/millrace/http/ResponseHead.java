package io.millrace.http;

import org.jspecify.annotations.Nullable;

/** A response without its body. Changeable until it is committed. Not for two threads at once. */
public final class ResponseHead {

    private final Headers headers = new Headers();
    private int status = 200;
    private @Nullable String reason;
    private long contentLength = -1;

    public int status() {
        return status;
    }

    public ResponseHead status(int value) {
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
}
