package io.millrace.connector.bio;

import io.millrace.io.TransportProvider;

final class Http1OverBioOnPlatformThreadsTest extends Http1OverBioTest {

    @Override
    TransportProvider provider() {
        return new OnPlatformThreads(3);
    }
}
