package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.WebSocketClientContract;

@InPart
final class WebSocketClientOverBioTest extends WebSocketClientContract {

    @Override
    protected TransportProvider provider() {
        return new BioTransportProvider();
    }
}
