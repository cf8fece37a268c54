package io.millrace.connector.bio;

import io.millrace.io.Dialer;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import java.io.IOException;

/** The transport as on a Java without virtual threads, with this number of platform threads. */
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
        return new BioTransportProvider().create(onPlatformThreads(options));
    }

    @Override
    public Dialer dialer(TransportOptions options) throws IOException {
        return new BioTransportProvider().dialer(onPlatformThreads(options));
    }

    private TransportOptions onPlatformThreads(TransportOptions options) {
        return options.with(TransportOptions.MAX_THREADS, threads)
                .with(TransportOptions.THREADS, TransportOptions.Threads.PLATFORM);
    }
}
