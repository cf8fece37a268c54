package io.millrace.websocket.jsr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.websocket.RemoteEndpoint;
import org.jspecify.annotations.Nullable;

/** The methods that both remotes share: batches and pings. Thread-safe. */
abstract class Remote implements RemoteEndpoint {

    final SessionOutput outgoing;

    Remote(SessionOutput outgoing) {
        this.outgoing = outgoing;
    }

    @Override
    public void setBatchingAllowed(boolean allowed) {
        outgoing.batching(allowed);
    }

    @Override
    public boolean getBatchingAllowed() {
        return outgoing.isBatching();
    }

    @Override
    public void flushBatch() {
        outgoing.flushBatch();
    }

    @Override
    public void sendPing(@Nullable ByteBuffer payload) throws IOException {
        outgoing.ping(payload == null ? ByteBuffer.allocate(0) : payload);
    }

    @Override
    public void sendPong(@Nullable ByteBuffer payload) throws IOException {
        outgoing.pong(payload == null ? ByteBuffer.allocate(0) : payload);
    }

    /** @throws IllegalArgumentException if the argument is null (JSR 356) */
    static <T> T required(@Nullable T argument, String name) {
        if (argument == null) {
            throw new IllegalArgumentException(name + " is null");
        }
        return Objects.requireNonNull(argument);
    }
}
