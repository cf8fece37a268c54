package io.millrace.connector.bio;

import io.millrace.io.Dialer;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import java.io.IOException;

/** The transport as it is on a Java without virtual threads: on so many platform threads. */
final class OnPlatformThreads implements TransportProvider {

    private final int threads;

    OnPlatformThreads(int threads) {
        this.threads = threads;
    }

    @Override
    public String name() {
        return "bio";
    }

    @Override
    public Transport create(TransportOptions options) {
        return new BioTransportProvider().create(options.withThreads(threads, TransportOptions.Threads.PLATFORM));
    }

    @Override
    public Dialer dialer(TransportOptions options) throws IOException {
        return new BioTransportProvider().dialer(options.withThreads(threads, TransportOptions.Threads.PLATFORM));
    }
}
