package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.TlsTransportContract;

@InPart
final class TlsOverBioOnPlatformThreadsTest extends TlsTransportContract {

    @Override
    protected TransportProvider provider() {
        return new OnPlatformThreads(4);
    }
}
