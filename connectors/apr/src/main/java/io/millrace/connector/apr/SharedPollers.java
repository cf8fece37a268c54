package io.millrace.connector.apr;

import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The pollers of all transports of one provider: started with the first, ended with the last. */
final class SharedPollers {

    private @Nullable Pollers pollers;
    private int users;

    /** The first user's options decide on the number of threads. */
    synchronized Pollers acquire(TransportOptions options) throws IOException {
        Pollers current = pollers;
        if (current == null) {
            int threads = options.ioThreads() > 0
                    ? options.ioThreads()
                    : Runtime.getRuntime().availableProcessors();
            current = new Pollers(options.name(), threads);
            pollers = current;
        }
        users++;
        return current;
    }

    /** Done when this user's threads have ended, or at once while others still use them. */
    synchronized CompletionStage<Void> release() {
        Pollers current = pollers;
        users--;
        if (users > 0 || current == null) {
            return CompletableFuture.completedFuture(null);
        }
        pollers = null;
        return current.end();
    }
}
