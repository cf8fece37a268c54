package io.millrace.connector.nio2;

import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The I/O threads of all transports of one provider: started with the first, ended with the last. */
final class SharedGroup {

    private @Nullable IoGroup group;
    private int users;

    /** The first user's options decide on the number of threads. */
    synchronized IoGroup acquire(TransportOptions options) throws IOException {
        IoGroup current = group;
        if (current == null) {
            int threads = options.ioThreads() > 0
                    ? options.ioThreads()
                    : Runtime.getRuntime().availableProcessors();
            current = IoGroup.start(options.name(), threads);
            group = current;
        }
        users++;
        return current;
    }

    /** Done when this user's threads have ended, or at once while others still use them. */
    synchronized CompletionStage<Void> release() {
        IoGroup current = group;
        users--;
        if (users > 0 || current == null) {
            return CompletableFuture.completedFuture(null);
        }
        group = null;
        return current.end();
    }
}
