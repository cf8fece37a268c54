package io.millrace.connector.spdy;

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

/** Offers SPDY to clients: {@code spdys} with TLS, {@code spdy} without. */
public final class SpdyClientProvider implements ClientProtocolProvider {

    private static final String PROTOCOL = "SPDY/3.1";

    /** For the service loader. */
    public SpdyClientProvider() {}

    @Override
    public List<ClientScheme> schemes() {
        return List.of(
                ClientScheme.of("spdy", PROTOCOL, 80, false),
                new ClientScheme("spdys", PROTOCOL, 443, true, List.of(SpdyVersion.SPDY_3_1.id())));
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
        return new SpdyClient(settings, scheme.secure() ? "https" : "http", responseTimeout, keepAliveTimeout);
    }
}
