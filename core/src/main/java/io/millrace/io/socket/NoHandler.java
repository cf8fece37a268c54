package io.millrace.io.socket;

import io.millrace.io.ConnectionHandler;
import org.jspecify.annotations.Nullable;

/** In the place of a connection's handler before there is one, and after it has been told of the end. */
enum NoHandler implements ConnectionHandler {
    NOT_YET,
    GONE;

    @Override
    public void onReadable() {
        // nobody to tell
    }

    @Override
    public void onIdle() {
        // nobody to tell
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        // nobody to tell
    }

    @Override
    public void drain() {
        // nobody to tell
    }
}
