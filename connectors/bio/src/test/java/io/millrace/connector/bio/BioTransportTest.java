package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.TransportContract;

final class BioTransportTest extends TransportContract {

    @Override
    protected TransportProvider provider() {
        return new BioTransportProvider();
    }
}
