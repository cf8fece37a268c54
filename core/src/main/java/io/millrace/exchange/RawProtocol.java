package io.millrace.exchange;

import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What an upgraded connection speaks, as far as we know: the connection becomes one more exchange, with the bytes as they
 * come and go for its bodies.
 */
final class RawProtocol implements Protocol {

    private final ExchangeContext context;
    private final RequestHead request;
    private final HttpHandler first;

    RawProtocol(ExchangeContext context, RequestHead request, HttpHandler first) {
        this.context = context;
        this.request = request;
        this.first = first;
    }

    @Override
    public String id() {
        return "raw";
    }

    /** Nobody is recognised by saying nothing in particular. */
    @Override
    public Match match(ByteBuffer prefix) {
        return Match.NO;
    }

    @Override
    public ConnectionHandler open(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
        return new RawStream(connection, unread, this::begin);
    }

    /** On a worker of its own: this thread is still busy with the end of the exchange that was upgraded. */
    private void begin(RawStream stream) {
        Exchange exchange = new Exchange(context, request, stream);
        context.workers().execute(() -> exchange.start(first));
    }
}
