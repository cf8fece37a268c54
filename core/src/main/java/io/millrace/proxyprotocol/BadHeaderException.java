package io.millrace.proxyprotocol;

import java.io.IOException;

/** A header breaks the rules. The message says which, and holds nothing of what the peer sent. */
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
