package io.millrace.websocket.client;

import io.millrace.io.BufferPool;
import io.millrace.io.DefaultTransport;
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
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The threads and buffers of clients outside a server: a transport, workers and timers. One instance serves any number
 * of clients. Thread-safe.
 */
public final class ClientRuntime implements AutoCloseable {

    private static final int MAX_WORKERS = 200;

    private final Timers timers;
    private final WorkerPool workers;
    private final Dialer dialer;
    private final @Nullable Http2Carrier http2 = Http2Carrier.installed();

    private ClientRuntime(String name, TransportProvider provider) throws IOException {
        timers = new Timers(name + "-timers");
        workers = new WorkerPool(name + "-worker", MAX_WORKERS, 0, WorkerPool.MAX_IDLE, Integer.MAX_VALUE, timers);
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
     * Starts the threads, on the {@linkplain DefaultTransport default transport}.
     *
     * @param name the prefix of the threads' names
     * @throws IOException if they cannot be started
     * @throws IllegalStateException if no transport is installed
     */
    public static ClientRuntime start(String name) throws IOException {
        List<TransportProvider> installed =
                ServiceLoader.load(TransportProvider.class, ClientRuntime.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        String wanted = DefaultTransport.among(
                installed.stream().map(TransportProvider::name).toList());
        TransportProvider provider = installed.stream()
                .filter(each -> each.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "no transport is on the class path or module path; add millrace-connector-nio"));
        return new ClientRuntime(name, provider);
    }

    /**
     * Creates a client. Reads the files of the options, and blocks meanwhile.
     *
     * @throws io.millrace.tls.TlsConfigurationException if a file is missing or invalid, or an option is invalid
     */
    public WebSocketClient client(TlsClientOptions tls) {
        WebSocketClient client = client(TlsClients.open(tls));
        TlsClientOptions offering = new TlsClientOptions(tls.certificate(), Http2Carrier.OFFERED, tls.settings());
        return http2 == null ? client : client.withHttp2(http2.over(TlsClients.open(offering)));
    }

    /**
     * Creates a client with the application's SSL context, which determines trust. Host names are verified in any case.
     *
     * @param versions {@code TLSv1.3}, for example; empty for the defaults of the context
     */
    public WebSocketClient client(SSLContext context, List<String> versions) {
        WebSocketClient client = client(JsseClient.of(context, versions, List.of()));
        return http2 == null
                ? client
                : client.withHttp2(http2.over(JsseClient.of(context, versions, Http2Carrier.OFFERED)));
    }

    private WebSocketClient client(TlsClientEngines engines) {
        return new WebSocketClient(dialer, workers, timers, engines);
    }

    /** The worker threads, which call listeners that may block. */
    public WorkerPool workers() {
        return workers;
    }

    /** The timers of the connections' timeouts. */
    public Timers timers() {
        return timers;
    }

    /** Closes all connections with 1001, waits up to a second for their peers, and ends the threads. */
    @Override
    public void close() {
        Duration grace = Duration.ofSeconds(1);
        try {
            dialer.stop(grace).toCompletableFuture().get(2 * grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException stuck) {
            // a listener blocks its connection: the threads end when it returns
        } finally {
            workers.close();
            timers.close();
        }
    }
}
