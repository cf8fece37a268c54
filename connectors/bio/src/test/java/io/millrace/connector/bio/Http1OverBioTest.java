package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1Contract;

final class Http1OverBioTest extends Http1Contract {

    @Override
    protected TransportProvider provider() {
        return new BioTransportProvider();
    }
}
