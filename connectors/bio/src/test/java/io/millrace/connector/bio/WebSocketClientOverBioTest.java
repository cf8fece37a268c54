package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.WebSocketClientContract;

final class WebSocketClientOverBioTest extends WebSocketClientContract {

    @Override
    protected TransportProvider provider() {
        return new BioTransportProvider();
    }
}
