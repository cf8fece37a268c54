package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1TlsContract;
import io.millrace.testkit.InPart;

@InPart
final class Http1OverTlsOverBioTest extends Http1TlsContract {

    @Override
    protected TransportProvider provider() {
        return new BioTransportProvider();
    }
}
