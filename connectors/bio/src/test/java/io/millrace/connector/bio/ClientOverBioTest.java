package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.ClientContract;
import io.millrace.testkit.InPart;

@InPart
final class ClientOverBioTest extends ClientContract {

    @Override
    protected TransportProvider provider() {
        return new BioTransportProvider();
    }
}
