package io.millrace.http1;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Timers;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 and HTTP/1.0 (RFC 9110, RFC 9112), strictly. One for each connector. */
public final class Http1Protocol implements Protocol {

    /**
     * The protocol of one connector.
     *
     * @param options its limits
     * @param scheme {@code http} or {@code https}: what its requests came by
     * @param timers for the guard that keeps pipelined responses from waiting for each other
     * @param workers where a connection with many pipelined requests goes on, so that others get their turn
     */
    public Http1Protocol(Http1Options options, String scheme, Timers timers, Executor workers) {}

    @Override
    public String id() {
        return "http/1.1";
    }

    @Override
    public Match match(ByteBuffer prefix) {
        return Match.YES;
    }

    @Override
    public ConnectionHandler open(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
        throw new UnsupportedOperationException("being written");
    }
}
