package io.millrace.io;

import org.jspecify.annotations.Nullable;

/** Stands for a connection's handler before there is one, and after it was notified of the end. */
public enum NoHandler implements ConnectionHandler {
    /** Its connection has none so far. */
    NOT_YET,
    /** The last one knows of the end. */
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
