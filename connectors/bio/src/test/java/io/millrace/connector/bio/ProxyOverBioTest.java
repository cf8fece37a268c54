package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.ProxyContract;

@InPart
final class ProxyOverBioTest extends ProxyContract {

    @Override
    protected TransportProvider provider() {
        return new BioTransportProvider();
    }
}
