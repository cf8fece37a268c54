package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.Apr;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.io.socket.SharedThreads;

/** What {@link AprTransportProvider} offers where Java can do it: transports that share their pollers. */
final class AprTransports implements TransportProvider {

    private final SharedThreads<Pollers> pollers = new SharedThreads<>(Pollers::new);

    @Override
    public String name() {
        return "apr";
    }

    @Override
    public Transport create(TransportOptions options) {
        require();
        return AprSockets.transport(options, pollers);
    }

    @Override
    public String describe() {
        return "APR " + require();
    }

    private static String require() {
        try {
            return Apr.require();
        } catch (IllegalStateException missing) {
            throw new IllegalStateException("the transport 'apr' cannot work here: " + missing.getMessage(), missing);
        }
    }
}
