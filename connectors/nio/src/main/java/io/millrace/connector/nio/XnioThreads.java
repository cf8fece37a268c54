package io.millrace.connector.nio;

import io.millrace.io.socket.SelectorLoop;
import io.millrace.io.socket.SharedThreads;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/** The threads of an XNIO worker: its I/O threads, and its accept thread, which runs a {@link SelectorLoop}. */
final class XnioThreads implements SharedThreads.Threads {

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final XnioWorker worker;
    private final List<NioThread> pollers;
    private final SelectorLoop acceptor;

    /** Starts the worker with this number of I/O threads. */
    XnioThreads(String name, int threads) throws IOException {
        acceptor = new SelectorLoop(name);
        worker = Xnio.getInstance("nio", XnioThreads.class.getClassLoader())
                .createWorkerBuilder()
                .setWorkerName(name)
                .setWorkerIoThreads(threads)
                .setCoreWorkerPoolSize(0) // XNIO's own task pool is not used
                .setMaxWorkerPoolSize(1)
                .setDaemon(false)
                .setTerminationTask(() -> ended.complete(null))
                .build();
        pollers = IntStream.range(0, threads)
                .mapToObj(number -> new NioThread(worker.getIoThread(number)))
                .toList();
        AcceptThread.of(worker).execute(acceptor);
    }

    List<NioThread> pollers() {
        return pollers;
    }

    SelectorLoop acceptor() {
        return acceptor;
    }

    @Override
    public CompletionStage<Void> end() {
        acceptor.end().thenRun(worker::shutdown);
        return ended;
    }
}
