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
 * Http1Protocol(...)))}. TLS offers it by ALPN; without TLS clients just begin with one of its frames, from which the
 * versions can't be told apart, so that the first of a port's counts. One for each connector and version.
 */
public final class SpdyProtocol implements Protocol {

    private static final int CONTROL = 0x80;

    private final SpdyRules rules;
    private final MuxContext context;

    /**
     * The protocol of one connector.
     *
     * @param options its limits: {@link SpdyOptions} and those it names; what is not set has its default
     * @param scheme {@code http} or {@code https}: what its requests have to say, unless that may differ
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

    /** A control frame begins it. No text begins with such an octet, and no TLS record. */
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
