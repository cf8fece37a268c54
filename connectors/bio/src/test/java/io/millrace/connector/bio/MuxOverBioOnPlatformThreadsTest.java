package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.MuxContract;

@InPart
final class MuxOverBioOnPlatformThreadsTest extends MuxContract {

    @Override
    protected TransportProvider provider() {
        return new OnPlatformThreads(3);
    }
}
