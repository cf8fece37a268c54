package io.millrace.io;

import org.jspecify.annotations.Nullable;

/** The handler of a connection before the first handler is installed, and after it was notified of the end. */
public enum NoHandler implements ConnectionHandler {
    /** No handler has been installed yet. */
    NOT_YET,
    /** The last handler has been notified of the end. */
    GONE;

    @Override
    public void onReadable() {
        // no handler is installed
    }

    @Override
    public void onIdle() {
        // no handler is installed
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        // no handler is installed
    }

    @Override
    public void drain() {
        // no handler is installed
    }
}
