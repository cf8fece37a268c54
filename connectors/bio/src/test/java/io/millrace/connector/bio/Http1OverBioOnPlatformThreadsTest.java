package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1Contract;
import io.millrace.testkit.InPart;

@InPart
final class Http1OverBioOnPlatformThreadsTest extends Http1Contract {

    @Override
    protected TransportProvider provider() {
        return new OnPlatformThreads(3);
    }
}
