package io.millrace.io.socket;

import static io.millrace.io.TransportOptions.IO_THREADS;

import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The I/O threads of all transports of one provider: started for the first user, ended with the last. Thread-safe.
 *
 * @param <T> the type of threads
 */
public final class SharedThreads<T extends SharedThreads.Threads> {

    /** A set of running threads. */
    public interface Threads {
        /** Ends the threads, which have no connections any more. Completed when all have ended. */
        CompletionStage<Void> end();
    }

    /**
     * Starts threads.
     *
     * @param <T> the type of threads
     */
    public interface Start<T> {
        /** Starts this many threads, named after the transport. */
        T start(String name, int threads) throws IOException;
    }

    /**
     * A use of the threads.
     *
     * @param <T> the type of threads
     * @param <U> the user
     */
    public interface Use<T, U> {
        /** Starts to use them. */
        U begin(T threads) throws IOException;
    }

    private final Start<T> start;
    private @Nullable T threads;
    private int users;

    /** No threads are running. */
    public SharedThreads(Start<T> start) {
        this.start = start;
    }

    /**
     * Adds a user, until {@link #release} is called; unless starting the use fails.
     *
     * @param options those of the first user determine the number of threads
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

    /** Removes a user. Completed when its threads have ended, or immediately while others still use them. */
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
