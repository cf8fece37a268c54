package io.millrace.connector.http2;

import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientProtocolProvider;
import io.millrace.client.ClientScheme;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;

/** Offers HTTP/2 to clients: {@code h2} with TLS, {@code h2c} without. */
public final class Http2ClientProvider implements ClientProtocolProvider {

    private static final String PROTOCOL = "HTTP/2";

    /** For the service loader. */
    public Http2ClientProvider() {}

    @Override
    public List<ClientScheme> schemes() {
        return List.of(
                ClientScheme.of("h2c", PROTOCOL, 80, false),
                new ClientScheme("h2", PROTOCOL, 443, true, List.of(Http2Protocol.ID)));
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(
                HttpOptions.MAX_RESPONSE_HEADER_SIZE,
                ProtocolOptions.MAX_HEADER_COUNT,
                HttpOptions.MAX_TRAILER_SIZE,
                MuxOptions.MAX_CONCURRENT_STREAMS,
                MuxOptions.INITIAL_WINDOW_SIZE,
                MuxOptions.STREAM_WINDOW_SIZE,
                MuxOptions.CONNECTION_WINDOW_SIZE);
    }

    @Override
    public ClientProtocol create(
            ClientScheme scheme, Settings settings, Duration responseTimeout, Duration keepAliveTimeout) {
        return new Http2Client(settings, scheme.secure() ? "https" : "http", responseTimeout, keepAliveTimeout);
    }
}
