package io.millrace.testkit;

import static io.millrace.testkit.WebSocketContractClient.CLOSE;
import static io.millrace.testkit.WebSocketContractClient.FIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.ExchangeDispatcher;
import io.millrace.exchange.ExchangeOptions;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Protocol;
import io.millrace.testkit.WebSocketContractClient.Frame;
import io.millrace.websocket.WebSocketOptions;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A WebSocket server on a transport, and its clients, for the cases of {@link WebSocketContract}. */
final class WebSocketHarness {

    /** The maximum message size in octets. */
    static final int MOST = 200_000;

    /** Fills soon, even with a write per octet; the system's default is megabytes. */
    static final int SMALL_WINDOW = 4096;

    static final String TIMERS = "test-websocket";

    private static final int SMALL_SEND_BUFFER = 16 * 1024;

    private static final WebSocketOptions OPTIONS = WebSocketOptions.DEFAULT
            .with(WebSocketOptions.MAX_TEXT_SIZE, MOST)
            .with(WebSocketOptions.MAX_BINARY_SIZE, MOST)
            .with(WebSocketOptions.MAX_FRAMES, 1_000)
            .with(WebSocketOptions.MAX_CONTROL_FRAMES, 1_000)
            .with(WebSocketOptions.CLOSE_TIMEOUT, Duration.ofSeconds(60))
            .withSubprotocols(java.util.List.of("chat", "superchat"));

    /** Creates a client's link over a connection. */
    @FunctionalInterface
    interface Links {
        ContractLink over(ContractLink connection) throws IOException;
    }

    private final Timers timers = new Timers(TIMERS);
    private final WorkerPool workers = new WorkerPool("test-workers", 20, 0);
    private final WebSocketContractServer server = new WebSocketContractServer();
    private final TransportProvider provider;
    private final @Nullable TestTls tls;
    private final Links links;
    private final TransportHarness transports;
    private final Transport transport;

    /**
     * Starts the server.
     *
     * @param layer wraps connections below the protocol
     */
    WebSocketHarness(
            TransportProvider provider,
            @Nullable TestTls tls,
            UnaryOperator<Connection> layer,
            Protocol protocol,
            Links links)
            throws IOException {
        this.provider = provider;
        this.tls = tls;
        this.links = links;
        transports = tls == null ? new TransportHarness(provider) : TransportHarness.secured(provider, tls);
        transports.with(options -> options.with(TransportOptions.SEND_BUFFER, SMALL_SEND_BUFFER));
        ExchangeDispatcher dispatcher =
                new ExchangeDispatcher(server.handler(OPTIONS), workers, timers, ExchangeOptions.defaults());
        transport = transports.accept(connection -> {
            Connection seen = layer.apply(connection);
            ConnectionHandler handler = protocol.open(seen, null, dispatcher);
            seen.install(handler);
            handler.onReadable();
        });
    }

    WebSocketContractServer server() {
        return server;
    }

    /** The transport's name. */
    String provider() {
        return provider.name();
    }

    CompletableFuture<Void> stop(Duration grace) {
        return transport.stop(grace).toCompletableFuture();
    }

    void close() throws Exception {
        transports.close();
        workers.close();
        timers.close();
    }

    WebSocketContractClient connect() throws Exception {
        return connect(0);
    }

    WebSocketContractClient connect(int receiveBuffer) throws Exception {
        SocketLink plain = new SocketLink(transports.connectPlain(receiveBuffer), transports.buffers());
        return new WebSocketContractClient(links.over(tls == null ? plain : new TlsLink(plain, tls.clientEngine())));
    }

    WebSocketContractClient open(String path, String... fields) throws Exception {
        return open(connect(), path, fields);
    }

    static WebSocketContractClient open(WebSocketContractClient client, String path, String... fields)
            throws Exception {
        String head = client.ask(path, fields);
        assertTrue(head.startsWith("HTTP/1.1 101 "), head);
        return client;
    }

    static void end(WebSocketContractClient client) throws Exception {
        client.close(1000);
        Frame close = client.receive();
        assertEquals(FIN | CLOSE, close.flags());
        assertEquals(1000, close.code());
        client.awaitEnd();
        client.checkNothingHeld();
    }

    static void assertCloses(int code, WebSocketContractClient client) throws Exception {
        Frame close = client.receive();
        assertEquals(FIN | CLOSE, close.flags(), close::text);
        assertEquals(code, close.code(), close::text);
        client.awaitEnd();
    }

    static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
