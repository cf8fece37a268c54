package io.millrace.connector.http2.hpack;

import java.io.IOException;

/**
 * Thrown for a header block that cannot be decoded (RFC 7541). The decoder's table no longer agrees with the peer's, so the
 * connection must end with COMPRESSION_ERROR (RFC 9113, 4.3). It has no stack trace, because peers can cause it.
 */
public final class HpackException extends IOException {

    private static final long serialVersionUID = 1;

    HpackException(String found) {
        super(found);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
