package io.millrace.connector.http2;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Transports;

/** On the default transport, all of the contract. */
final class WebSocketOverHttp2Test extends Http2WebSocketContract {

    @Override
    protected TransportProvider provider() {
        return Transports.provider(Transports.byDefault());
    }
}
