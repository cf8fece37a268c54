package io.millrace.client;

import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends the first octets of a connection, before TLS and the protocol start. Input that arrives meanwhile is left unread. */
record Preface(Connection connection, Runnable onSent, Consumer<Throwable> onFailed) implements ConnectionHandler {

    /** Sends the octets. Called by the connection's owner. At least one of the callbacks is called. */
    void send(ByteBuffer octets, Duration timeout) {
        connection.install(this);
        connection.idleTimeout(timeout);
        connection.write(Payload.of(octets), failure -> {
            if (failure == null) {
                onSent.run();
            } else {
                onFailed.accept(failure);
            }
        });
    }

    @Override
    public void onReadable() {
        // no input is read yet; the next handler reads it
    }

    @Override
    public void onIdle() {
        // a write that times out fails
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        onFailed.accept(
                cause == null
                        ? new IOException("the connection was closed while its first bytes were being sent")
                        : cause);
    }

    @Override
    public void drain() {
        // the connection is used for one request, and then closed
    }
}
