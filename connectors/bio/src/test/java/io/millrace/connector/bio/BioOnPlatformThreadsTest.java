package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.TransportContract;

final class BioOnPlatformThreadsTest extends TransportContract {

    @Override
    protected TransportProvider provider() {
        return new OnPlatformThreads(4);
    }
}
