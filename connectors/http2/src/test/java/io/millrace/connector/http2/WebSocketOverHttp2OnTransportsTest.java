package io.millrace.connector.http2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** On the other transports, and over TLS. */
@InPart
@ParameterizedClass
@MethodSource("connections")
final class WebSocketOverHttp2OnTransportsTest extends Http2WebSocketContract {

    private final String transport;
    private final @Nullable TlsImplementation tls;

    WebSocketOverHttp2OnTransportsTest(String transport, @Nullable TlsImplementation tls) {
        this.transport = transport;
        this.tls = tls;
    }

    static List<Arguments> connections() {
        List<Arguments> all = new ArrayList<>();
        for (String name : Transports.others()) {
            all.add(Arguments.of(name, null));
        }
        all.add(Arguments.of(Transports.byDefault(), TlsImplementation.JSSE));
        return all;
    }

    @Override
    protected TransportProvider provider() {
        return Transports.provider(transport);
    }

    @Override
    protected @Nullable TlsImplementation implementation() {
        return tls;
    }
}
