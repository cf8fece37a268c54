package io.millrace.client;

import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The first octets on a connection, which are sent before TLS and the protocol begin. What the server sends meanwhile waits. */
record Preface(Connection connection, Runnable onSent, Consumer<Throwable> onFailed) implements ConnectionHandler {

    /** By the connection's owner. One of the two is called, at least once. */
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
        // nobody awaits input yet; what comes next looks for it
    }

    @Override
    public void onIdle() {
        // a write that is not accepted fails
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        onFailed.accept(cause == null ? new IOException("the connection was closed as it began") : cause);
    }

    @Override
    public void drain() {
        // one that is about to be used, and then closed
    }
}
