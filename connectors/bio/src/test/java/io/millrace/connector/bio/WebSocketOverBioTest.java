package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.WebSocketContract;

@InPart
final class WebSocketOverBioTest extends WebSocketContract {

    @Override
    protected TransportProvider provider() {
        return new BioTransportProvider();
    }
}
