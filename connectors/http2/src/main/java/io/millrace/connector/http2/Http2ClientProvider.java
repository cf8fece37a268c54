package io.millrace.connector.http2;

import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientProtocolProvider;
import io.millrace.client.ClientScheme;
import io.millrace.client.mux.MuxClient;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;

/** Provides the HTTP/2 client (RFC 9113) for the schemes {@code h2}, with TLS, and {@code h2c}, without (prior knowledge). */
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
        return MuxOptions.ofClients();
    }

    @Override
    public ClientProtocol create(
            ClientScheme scheme, Settings settings, Duration responseTimeout, Duration keepAliveTimeout) {
        Settings client = MuxOptions.ofClient(settings, responseTimeout, keepAliveTimeout);
        Http2Rules rules = new Http2Rules(client, scheme.secure() ? "https" : "http");
        return new MuxClient(
                client,
                Http2Protocol.ID,
                info -> new Http2ClientReader(rules, info),
                () -> new Http2ClientWriter(rules));
    }
}
