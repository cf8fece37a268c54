package io.millrace.connector.spdy;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.mux.MuxContext;
import io.millrace.protocol.mux.MuxServerConnection;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * SPDY, the server's side: {@code Connector.builder().protocols(List.of(new SpdyProtocol(settings, scheme), new
 * Http1Protocol(...)))}. With TLS it is negotiated by ALPN; without TLS it is recognized by its first frame, which is the same in
 * both versions, so the first one in the connector's list is used. Each connector and version needs its own instance. Thread-safe.
 */
public final class SpdyProtocol implements Protocol {

    private static final int CONTROL = 0x80;

    private final SpdyRules rules;
    private final MuxContext context;

    /**
     * Creates the protocol of a connector.
     *
     * @param options settings of {@link SpdyOptions} and of the classes that it names
     * @param scheme {@code http} or {@code https}: requests with another {@code :scheme} are refused, unless {@link
     *     io.millrace.protocol.mux.MuxOptions#ALLOW_SCHEME_MISMATCH} is set
     */
    public SpdyProtocol(Settings options, String scheme) {
        rules = new SpdyRules(options, scheme);
        context = new MuxContext(options);
    }

    /** {@code spdy/3.1} or {@code spdy/3}. */
    @Override
    public String id() {
        return rules.version().id();
    }

    /** Matches a control frame. Neither text protocols nor TLS records begin with its first octet. */
    @Override
    public Match match(ByteBuffer prefix) {
        if (!prefix.hasRemaining()) {
            return Match.NEED_MORE;
        }
        if ((prefix.get(prefix.position()) & 0xff) != CONTROL) {
            return Match.NO;
        }
        if (prefix.remaining() == 1) {
            return Match.NEED_MORE;
        }
        return prefix.get(prefix.position() + 1) == SpdyFrame.VERSION ? Match.YES : Match.NO;
    }

    @Override
    public ConnectionHandler open(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
        return new MuxServerConnection(
                context,
                connection,
                unread,
                dispatcher,
                new SpdyReader(rules, connection.channel().info()),
                new SpdyWriter(rules));
    }
}
