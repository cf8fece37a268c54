package io.millrace.connector.spdy;

import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientProtocolProvider;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientScheme;
import io.millrace.client.mux.ClientFrameWriter;
import io.millrace.client.mux.MuxClient;
import io.millrace.protocol.mux.Batch;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * Provides the SPDY client for the schemes {@code spdys}, with TLS, and {@code spdy}, without, and for SPDY/3 {@code spdys3} and
 * {@code spdy3}. Server push is not supported: a pushed stream closes the connection.
 */
public final class SpdyClientProvider implements ClientProtocolProvider {

    /** For the service loader. */
    public SpdyClientProvider() {}

    @Override
    public List<ClientScheme> schemes() {
        return List.of(
                plain("spdy", SpdyVersion.SPDY_3_1),
                secure("spdys", SpdyVersion.SPDY_3_1),
                plain("spdy3", SpdyVersion.SPDY_3),
                secure("spdys3", SpdyVersion.SPDY_3));
    }

    private static ClientScheme plain(String name, SpdyVersion version) {
        return ClientScheme.of(name, version.ofRequests().toString(), 80, false);
    }

    private static ClientScheme secure(String name, SpdyVersion version) {
        return new ClientScheme(name, version.ofRequests().toString(), 443, true, List.of(version.id()));
    }

    @Override
    public List<Setting<?>> settings() {
        return MuxOptions.ofClients();
    }

    @Override
    public ClientProtocol create(
            ClientScheme scheme, Settings settings, Duration responseTimeout, Duration keepAliveTimeout) {
        Settings client = MuxOptions.ofClient(settings, responseTimeout, keepAliveTimeout)
                .with(SpdyOptions.VERSION, version(scheme).number());
        SpdyRules rules = new SpdyRules(client, scheme.secure() ? "https" : "http");
        return new MuxClient(
                client, rules.version().id(), info -> SpdyReader.ofClient(rules, info), () -> new Writer(rules));
    }

    private static SpdyVersion version(ClientScheme scheme) {
        boolean later =
                scheme.protocol().equals(SpdyVersion.SPDY_3_1.ofRequests().toString());
        return later ? SpdyVersion.SPDY_3_1 : SpdyVersion.SPDY_3;
    }

    /** Writes the frames of a client: settings, then requests (SPDY/3, 2.6.1 and 3.2.1). */
    private static final class Writer extends SpdyWriter implements ClientFrameWriter {

        private final SpdyRules rules;

        Writer(SpdyRules rules) {
            super(rules);
            this.rules = rules;
        }

        /** Disables server push. */
        @Override
        public void start(Batch to) {
            ByteBuffer out = control(to, SpdyFrame.SETTINGS, SpdyFrame.COUNT + 2 * SpdyFrame.SETTING);
            out.putInt(2);
            out.putInt(SpdyFrame.MAX_CONCURRENT_STREAMS).putInt(0);
            out.putInt(SpdyFrame.INITIAL_WINDOW_SIZE).putInt(rules.options().get(MuxOptions.INITIAL_WINDOW_SIZE));
        }

        @Override
        public void request(int id, ClientRequest request, boolean end, Batch to) {
            request(id, request, rules.streams().scheme(), end, to);
        }
    }
}
