package io.millrace.connector.nio;

import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/** The I/O threads of all transports of one provider: started with the first, ended with the last. */
final class SharedWorker {

    private @Nullable XnioWorker worker;
    private CompletableFuture<Void> ended = new CompletableFuture<>();
    private int users;

    /** The first user's options decide on the number of threads. */
    synchronized XnioWorker acquire(TransportOptions options) throws IOException {
        XnioWorker current = worker;
        if (current == null) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            current = start(options, () -> end.complete(null));
            ended = end;
            worker = current;
        }
        users++;
        return current;
    }

    /** Done when this user's threads have ended, or at once while others still use them. */
    synchronized CompletionStage<Void> release() {
        XnioWorker current = worker;
        users--;
        if (users > 0 || current == null) {
            return CompletableFuture.completedFuture(null);
        }
        worker = null;
        current.shutdown();
        return ended;
    }

    private static XnioWorker start(TransportOptions options, Runnable onEnd) {
        int threads = options.ioThreads() > 0
                ? options.ioThreads()
                : Runtime.getRuntime().availableProcessors();
        return Xnio.getInstance("nio", SharedWorker.class.getClassLoader())
                .createWorkerBuilder()
                .setWorkerName(options.name())
                .setWorkerIoThreads(threads)
                .setCoreWorkerPoolSize(0) // XNIO's own task pool is not used
                .setMaxWorkerPoolSize(1)
                .setDaemon(false)
                .setTerminationTask(onEnd)
                .build();
    }
}
