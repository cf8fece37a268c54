package io.millrace.proxyprotocol;

import java.io.IOException;

/** A malformed header. The message says why, and contains no input of the peer. */
final class BadHeaderException extends IOException {

    private static final long serialVersionUID = 1L;

    BadHeaderException(String message) {
        super(message);
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
