package io.millrace.connector.nio;

import io.millrace.io.socket.SharedThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/** The I/O threads of a worker of XNIO's. */
final class XnioThreads implements SharedThreads.Threads {

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final XnioWorker worker;

    /** Starts so many. */
    XnioThreads(String name, int threads) {
        worker = Xnio.getInstance("nio", XnioThreads.class.getClassLoader())
                .createWorkerBuilder()
                .setWorkerName(name)
                .setWorkerIoThreads(threads)
                .setCoreWorkerPoolSize(0) // XNIO's own task pool is not used
                .setMaxWorkerPoolSize(1)
                .setDaemon(false)
                .setTerminationTask(() -> ended.complete(null))
                .build();
    }

    XnioWorker worker() {
        return worker;
    }

    @Override
    public CompletionStage<Void> end() {
        worker.shutdown();
        return ended;
    }
}
