package io.millrace.http1;

import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientProtocolProvider;
import io.millrace.client.ClientScheme;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;

/** Provides HTTP/1.1 for the schemes {@code http} and {@code https}. */
public final class Http1ClientProvider implements ClientProtocolProvider {

    private static final String PROTOCOL = "HTTP/1.1";

    /** The scheme of plain connections. */
    public static final ClientScheme HTTP = ClientScheme.of("http", PROTOCOL, 80, false);

    private static final ClientScheme HTTPS = ClientScheme.of("https", PROTOCOL, 443, true);

    /** Called by the service loader. */
    public Http1ClientProvider() {}

    @Override
    public List<ClientScheme> schemes() {
        return List.of(HTTP, HTTPS);
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(
                HttpOptions.MAX_RESPONSE_HEADER_SIZE, ProtocolOptions.MAX_HEADER_COUNT, HttpOptions.MAX_TRAILER_SIZE);
    }

    @Override
    public ClientProtocol create(
            ClientScheme scheme, Settings settings, Duration responseTimeout, Duration keepAliveTimeout) {
        return new Http1Client(settings, responseTimeout, keepAliveTimeout);
    }
}
