package io.millrace.websocket.client;

import io.millrace.io.BufferPool;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.jsse.JsseClient;
import io.millrace.tls.material.TlsClients;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * Threads and memory for clients where there is no server to lend them: a transport, workers, timers. One is enough for any
 * number of clients. Any thread.
 */
public final class ClientRuntime implements AutoCloseable {

    /** The most wanted first. */
    private static final List<String> TRANSPORTS = List.of("nio", "nio2", "bio", "apr");

    private static final int MOST_WORKERS = 200;

    private final Timers timers;
    private final WorkerPool workers;
    private final Dialer dialer;

    private ClientRuntime(String name, TransportProvider provider) throws IOException {
        timers = new Timers(name + "-timers");
        workers = new WorkerPool(name + "-worker", MOST_WORKERS, 0, WorkerPool.MAX_IDLE, Integer.MAX_VALUE, timers);
        boolean started = false;
        try {
            dialer = provider.dialer(TransportOptions.defaults(name, BufferPool.ofDefaultSize(), timers));
            started = true;
        } finally {
            if (!started) {
                workers.close();
                timers.close();
            }
        }
    }

    /**
     * Starts the threads, on the NIO transport if it is there.
     *
     * @param name the prefix of the threads' names
     * @throws IOException if they cannot be started
     * @throws IllegalStateException if there is no transport
     */
    public static ClientRuntime start(String name) throws IOException {
        TransportProvider provider =
                ServiceLoader.load(TransportProvider.class, ClientRuntime.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(each -> TRANSPORTS.contains(each.name()))
                        .min(Comparator.comparingInt(each -> TRANSPORTS.indexOf(each.name())))
                        .orElseThrow(() -> new IllegalStateException(
                                "there is no transport on the class path; add the module millrace-connector-nio"));
        return new ClientRuntime(name, provider);
    }

    /**
     * A client. Reads the files of the options; blocks meanwhile.
     *
     * @throws io.millrace.tls.TlsConfigurationException if a file is missing or wrong, or a value means nothing
     */
    public WebSocketClient client(TlsClientOptions tls) {
        return client(TlsClients.open(tls));
    }

    /**
     * A client by a context of the application's, which trusts whom it trusts. Host names are verified all the same.
     *
     * @param versions {@code TLSv1.3}; empty for those the context has by default
     */
    public WebSocketClient client(SSLContext context, List<String> versions) {
        return client(JsseClient.of(context, versions));
    }

    private WebSocketClient client(TlsClientEngines engines) {
        return new WebSocketClient(dialer, workers, timers, engines);
    }

    /** The worker threads: they run what may block, listeners among it. */
    public WorkerPool workers() {
        return workers;
    }

    /** The timers of the connections' timeouts. */
    public Timers timers() {
        return timers;
    }

    /** Closes all connections with 1001, waits a second for their peers, and ends the threads. */
    @Override
    public void close() {
        Duration grace = Duration.ofSeconds(1);
        try {
            dialer.stop(grace).toCompletableFuture().get(2 * grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException stuck) {
            // a listener holds up its connection: the threads end when it returns
        } finally {
            workers.close();
            timers.close();
        }
    }
}
