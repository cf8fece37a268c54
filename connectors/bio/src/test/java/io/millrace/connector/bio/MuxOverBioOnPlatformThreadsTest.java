package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.MuxContract;

final class MuxOverBioOnPlatformThreadsTest extends MuxContract {

    @Override
    protected TransportProvider provider() {
        return new OnPlatformThreads(3);
    }
}
