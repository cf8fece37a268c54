package io.millrace.connector.spdy;

import io.millrace.client.ClientException;
import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientSession;
import io.millrace.client.SessionListener;
import io.millrace.io.Connection;
import io.millrace.protocol.mux.MuxClientConnection;
import io.millrace.protocol.mux.MuxContext;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import java.time.Duration;

/**
 * SPDY/3.1 and SPDY/3 as a client: by ALPN over TLS, without TLS by what both sides were told. Pushed responses are not taken: a
 * server that sends one all the same loses the connection. Any thread.
 */
public final class SpdyClient implements ClientProtocol {

    private final SpdyRules rules;
    private final MuxContext context;

    /**
     * A client.
     *
     * @param options the limits of {@link io.millrace.protocol.mux.MuxOptions}, and of responses: maxHttpResponseHeaderSize,
     *     maxHeaderCount, maxTrailerSize
     * @param scheme {@code http} or {@code https}: of the connections that it is given
     * @param responseTimeout how long the server may send nothing when it is to answer; zero for ever
     * @param keepAliveTimeout how long a connection without requests is kept
     */
    public SpdyClient(Settings options, String scheme, Duration responseTimeout, Duration keepAliveTimeout) {
        Settings client = MuxOptions.ofClient(options, responseTimeout, keepAliveTimeout);
        rules = new SpdyRules(client, scheme);
        context = new MuxContext(client);
    }

    @Override
    public ClientSession open(Connection connection, SessionListener listener) throws ClientException {
        return MuxClientConnection.open(
                context,
                connection,
                rules.version().id(),
                SpdyReader.ofClient(rules, connection.channel().info()),
                new SpdyClientWriter(rules),
                listener);
    }

    @Override
    public boolean isShared() {
        return true;
    }
}
