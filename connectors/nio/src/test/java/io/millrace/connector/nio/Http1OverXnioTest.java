package io.millrace.connector.nio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1Contract;
import io.millrace.testkit.InPart;

@InPart
final class Http1OverXnioTest extends Http1Contract {

    @Override
    protected TransportProvider provider() {
        return new XnioProvider();
    }
}
