package io.millrace.connector.http2;

import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.Successor;
import io.millrace.protocol.mux.MuxContext;
import io.millrace.protocol.mux.MuxServerConnection;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/2 (RFC 9113), the server's side: {@code Connector.builder().protocols(List.of(new Http2Protocol(settings, scheme), new
 * Http1Protocol(...)))}. With TLS it is negotiated by ALPN; without TLS clients begin with its preface (prior knowledge), or
 * upgrade from HTTP/1.1. Each connector needs its own instance. Thread-safe.
 */
public final class Http2Protocol implements Protocol {

    /** The ALPN protocol id (RFC 9113, 3.2). */
    public static final String ID = "h2";

    private final Http2Rules rules;
    private final MuxContext context;

    /**
     * Creates the protocol of a connector.
     *
     * @param options settings of {@link Http2Options} and of the classes that it names
     * @param scheme {@code http} or {@code https}: requests with another {@code :scheme} are refused, unless {@link
     *     io.millrace.protocol.mux.MuxOptions#ALLOW_SCHEME_MISMATCH} is set
     */
    public Http2Protocol(Settings options, String scheme) {
        rules = new Http2Rules(options, scheme);
        context = new MuxContext(options);
    }

    @Override
    public String id() {
        return ID;
    }

    /** Matches the client's connection preface (RFC 9113, 3.4). */
    @Override
    public Match match(ByteBuffer prefix) {
        int length = Math.min(prefix.remaining(), Http2Reader.PREFACE.length);
        for (int i = 0; i < length; i++) {
            if (prefix.get(prefix.position() + i) != Http2Reader.PREFACE[i]) {
                return Match.NO;
            }
        }
        return length == Http2Reader.PREFACE.length ? Match.YES : Match.NEED_MORE;
    }

    @Override
    public ConnectionHandler open(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
        return handler(connection, unread, dispatcher);
    }

    @Override
    public String upgradeName() {
        return CleartextUpgrade.NAME;
    }

    @Override
    public @Nullable Successor upgrade(RequestHead request, Dispatcher dispatcher) {
        CleartextUpgrade upgrade = CleartextUpgrade.of(request);
        if (upgrade == null) {
            return null;
        }
        return (connection, unread) -> {
            MuxServerConnection handler = handler(connection, unread, dispatcher);
            handler.upgraded(upgrade.request(), upgrade.priority(), upgrade.settings());
            return handler;
        };
    }

    MuxServerConnection handler(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
        return new MuxServerConnection(
                context,
                connection,
                unread,
                dispatcher,
                new Http2Reader(rules, connection.channel().info()),
                new Http2Writer(rules));
    }
}
