package io.millrace.connector.http2;

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

/** HTTP/2 as a client (RFC 9113): by ALPN over TLS, without TLS by prior knowledge. Any thread. */
public final class Http2Client implements ClientProtocol {

    private final Http2Rules rules;
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
    public Http2Client(Settings options, String scheme, Duration responseTimeout, Duration keepAliveTimeout) {
        Settings client = MuxOptions.ofClient(options, responseTimeout, keepAliveTimeout);
        rules = new Http2Rules(client, scheme);
        context = new MuxContext(client);
    }

    @Override
    public ClientSession open(Connection connection, SessionListener listener) throws ClientException {
        return MuxClientConnection.open(
                context,
                connection,
                Http2Protocol.ID,
                new Http2ClientReader(rules, connection.channel().info()),
                new Http2ClientWriter(rules),
                listener);
    }

    @Override
    public boolean isShared() {
        return true;
    }
}
