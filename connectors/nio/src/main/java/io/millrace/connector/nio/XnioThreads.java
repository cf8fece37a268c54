package io.millrace.connector.nio;

import io.millrace.io.socket.SelectorLoop;
import io.millrace.io.socket.SharedThreads;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.xnio.Xnio;
import org.xnio.XnioIoThread;
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

    /**
     * The accept thread of an XNIO worker. XNIO does not expose it, hence the method handle; but it always starts it, so
     * accepting on it saves a thread.
     */
    private static final class AcceptThread {

        private AcceptThread() {}

        /** Returns the accept thread of a worker of XNIO's {@code nio} provider. */
        static XnioIoThread of(XnioWorker worker) {
            try {
                Class<? extends XnioWorker> type = worker.getClass();
                Class<?> thread = worker.getIoThread(0).getClass();
                MethodHandle getter = MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                        .findVirtual(type, "getAcceptThread", MethodType.methodType(thread));
                return (XnioIoThread) getter.invoke(worker);
            } catch (ReflectiveOperationException different) {
                throw OtherXnio.found(different);
            } catch (RuntimeException | Error failed) {
                throw failed;
            } catch (Throwable impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
