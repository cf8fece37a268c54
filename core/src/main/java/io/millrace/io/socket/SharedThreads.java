package io.millrace.io.socket;

import static io.millrace.io.TransportOptions.IO_THREADS;

import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The I/O threads of all transports of one provider: started with the first, ended with the last. Any thread.
 *
 * @param <T> the threads
 */
public final class SharedThreads<T extends SharedThreads.Threads> {

    /** Some threads that run. */
    public interface Threads {
        /** Ends them, who have no connection any more. Done when all have ended. */
        CompletionStage<Void> end();
    }

    /**
     * Starts threads.
     *
     * @param <T> the threads
     */
    public interface Start<T> {
        /** Starts so many, named after the transport. */
        T start(String name, int threads) throws IOException;
    }

    /**
     * What threads are needed for.
     *
     * @param <T> the threads
     * @param <U> what uses them from then on
     */
    public interface Use<T, U> {
        /** Begins to use them. */
        U begin(T threads) throws IOException;
    }

    private final Start<T> start;
    private @Nullable T threads;
    private int users;

    /** None yet. */
    public SharedThreads(Start<T> start) {
        this.start = start;
    }

    /**
     * One user more, until {@link #release}, unless its beginning fails.
     *
     * @param options the first user's decide on the number of threads
     */
    public <U> U acquire(TransportOptions options, Use<? super T, U> use) throws IOException {
        T current = acquire(options);
        boolean begun = false;
        try {
            U user = use.begin(current);
            begun = true;
            return user;
        } finally {
            if (!begun) {
                release();
            }
        }
    }

    private synchronized T acquire(TransportOptions options) throws IOException {
        T current = threads;
        if (current == null) {
            int number = options.get(IO_THREADS) > 0
                    ? options.get(IO_THREADS)
                    : Runtime.getRuntime().availableProcessors();
            current = start.start(options.name(), number);
            threads = current;
        }
        users++;
        return current;
    }

    /** One user less. Done when its threads have ended, or at once while others still use them. */
    public synchronized CompletionStage<Void> release() {
        T current = threads;
        users--;
        if (users > 0 || current == null) {
            return CompletableFuture.completedFuture(null);
        }
        threads = null;
        return current.end();
    }
}
