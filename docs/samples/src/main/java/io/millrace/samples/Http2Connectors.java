package io.millrace.samples;

import static io.millrace.protocol.mux.MuxOptions.MAX_CONCURRENT_STREAMS;

import io.millrace.Connector;
import io.millrace.connector.http2.Http2Protocol;
import io.millrace.http1.Http1Protocol;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsOptions;
import java.util.List;

/** Connectors that speak HTTP/2. Compiled only if connectors/http2 exists. */
final class Http2Connectors {

    private Http2Connectors() {}

    static Connector http2(TlsOptions tls) {
        // tag::http2
        Settings settings = Settings.DEFAULTS.with(MAX_CONCURRENT_STREAMS, 50);
        Connector connector = Connector.builder()
                .port(0)
                .tls(tls)
                .protocols(List.of( // the most preferred first
                        new Http2Protocol(settings, "https"), new Http1Protocol(settings, "https")))
                .build();
        // end::http2
        return connector;
    }
}
