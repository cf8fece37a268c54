package io.millrace.standalone;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.Server;
import io.millrace.client.ClientException;
import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientProtocolProvider;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientScheme;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.client.Destination;
import io.millrace.client.PoolLimits;
import io.millrace.client.ResponseListener;
import io.millrace.client.SessionPool;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.Chunk;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Timers;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Protocol;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.ContractServer;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.TestTls;
import io.millrace.testkit.TransportHarness;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.material.TlsClients;
import io.millrace.workers.WorkerPool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A client, a proxy and a backend in this process: the client and the backend speak the protocol of a scheme each, plain or with TLS on
 * both sides of the proxy. AJP has no TLS, so its side stays plain.
 */
final class ProxiedPair {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Settings OPTIONS =
            Connectors.contain("ajp") ? Connectors.with("ajp", Settings.DEFAULTS, "secret", "s") : Settings.DEFAULTS;

    /** Schemes of clients, and the names of the protocols that they speak. */
    private static final Map<String, String> PROTOCOLS =
            Map.of("http", "http1", "ajp", "ajp", "h2c", "http2", "spdy", "spdy");

    /** The schemes of the same protocols with TLS. */
    private static final Map<String, String> SECURE = Map.of("http", "https", "h2c", "h2", "spdy", "spdys");

    private final WorkerPool workers = new WorkerPool("test-workers", 4, 0);
    private final ContractServer backend = new ContractServer();
    private final AtomicInteger connections = new AtomicInteger();
    private final TransportHarness harness;
    private final ProxyApplication application;
    private final Timers proxyTimers = new Timers("test-timers");
    private final Server proxy;
    private final SessionPool pool;
    private final @Nullable TlsClientEngines engines;

    /** By the schemes of both, without TLS. */
    ProxiedPair(String client, String server) throws IOException {
        this(client, server, null);
    }

    /**
     * The same.
     *
     * @param tls whose TLS the proxy has, towards both; null for none
     */
    ProxiedPair(String client, String server, @Nullable TlsImplementation tls) throws IOException {
        TransportProvider provider = Transports.provider(Transports.byDefault());
        boolean securesBackend = tls != null && SECURE.containsKey(server);
        Protocol spoken = protocol(server, securesBackend);
        harness = securesBackend
                ? TransportHarness.secured(provider, TestTls.choosing(spoken.id()))
                : new TransportHarness(provider);
        harness.accept(connection -> {
            connections.incrementAndGet();
            ConnectionHandler handler = spoken.open(connection, null, backend);
            connection.install(handler);
            handler.onReadable();
        });
        int port = ((InetSocketAddress) harness.address()).getPort();
        boolean securesClient = tls != null && SECURE.containsKey(client);
        ConnectorBuilder connector = Connector.builder()
                .transport(provider.name())
                .address("127.0.0.1")
                .port(0)
                .protocols(List.of(protocol(client, securesClient)));
        ClientScheme scheme = schemeOf(securesClient ? SECURE.getOrDefault(client, client) : client);
        ProxyApplication plain = ProxyApplication.to(
                        (securesBackend ? SECURE.get(server) : server) + "://127.0.0.1:" + port)
                .with(OPTIONS.with(ProxyOptions.MAX_CONNECTIONS, 20));
        Path certificate = Files.createTempFile("test-certificate", ".pem");
        Path key = Files.createTempFile("test-key", ".pem");
        try {
            TestTls.writePem(certificate, key);
            TlsClientOptions trusting = TlsClientOptions.DEFAULT.with(TlsHost.CA_CERTIFICATE_FILE, certificate);
            application = tls == null ? plain : plain.tls(trusting.with(TlsOptions.IMPLEMENTATION, tls));
            if (tls != null && securesClient) {
                connector.tls(TlsOptions.of(TlsHost.any().pem(certificate, key)).with(TlsOptions.IMPLEMENTATION, tls));
            }
            proxy = Server.builder()
                    .transport(provider)
                    .timers(proxyTimers)
                    .connector(connector.build())
                    .application(application)
                    .start();
            engines = securesClient
                    ? TlsClients.open(trusting.withApplicationProtocols(alpn(scheme.applicationProtocols())))
                    : null;
        } finally {
            Files.delete(certificate);
            Files.delete(key);
        }
        pool = new SessionPool(
                new Destination(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()), engines),
                clientOf(scheme),
                new PoolLimits(20, 200, 100, LONG, LONG, LONG),
                harness.dialer(),
                workers,
                harness.timers());
    }

    private static List<String> alpn(List<String> named) {
        return named.isEmpty() ? List.of("http/1.1") : named;
    }

    private static Protocol protocol(String scheme, boolean secure) {
        String ofRequests = secure ? "https" : "http";
        return scheme.equals("http")
                ? new Http1Protocol(OPTIONS, ofRequests)
                : Connectors.protocol(PROTOCOLS.getOrDefault(scheme, scheme)).create(ofRequests, OPTIONS);
    }

    private static ClientScheme schemeOf(String name) {
        return ServiceLoader.load(ClientProtocolProvider.class).stream()
                .flatMap(each -> each.get().schemes().stream())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nobody speaks " + name));
    }

    private static ClientProtocol clientOf(ClientScheme scheme) {
        for (ClientProtocolProvider each : ServiceLoader.load(ClientProtocolProvider.class)) {
            if (each.schemes().contains(scheme)) {
                return each.create(scheme, OPTIONS, LONG, LONG);
            }
        }
        throw new IllegalArgumentException("nobody speaks " + scheme);
    }

    /** Is there TLS on a side of the proxy between them? */
    static boolean canBeSecured(String client, String server) {
        return SECURE.containsKey(client) || SECURE.containsKey(server);
    }

    /** The schemes that are installed: the directories of AJP, HTTP/2 and SPDY may be missing. */
    static List<String> schemes() {
        List<String> installed = ServiceLoader.load(ClientProtocolProvider.class).stream()
                .flatMap(each -> each.get().schemes().stream())
                .map(ClientScheme::name)
                .toList();
        return List.of("http", "ajp", "h2c", "spdy").stream()
                .filter(installed::contains)
                .toList();
    }

    ContractServer backend() {
        return backend;
    }

    /** How many the backend has accepted. */
    int connections() {
        return connections.get();
    }

    ProxyApplication application() {
        return application;
    }

    /** The backend's, and those of the client. */
    TransportHarness harness() {
        return harness;
    }

    Call ask(String method, String target) {
        return ask(new Call(method, target, new byte[0], true));
    }

    Call ask(Call call) {
        pool.acquire(call);
        return call;
    }

    void close() throws Exception {
        pool.close();
        proxy.stop(Duration.ZERO);
        proxyTimers.close();
        harness.close();
        workers.close();
        if (engines != null) {
            engines.close();
        }
    }

    /** One request, and what came of it. */
    static final class Call implements SessionPool.Waiter, ResponseListener {

        private static final int PIECE = 10_000;

        private final String method;
        private final String target;
        private final ByteBuffer body;
        private final boolean lengthKnown;
        private final Headers fields = new Headers().add("Host", "contract");
        private final Headers requestTrailers = new Headers();
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private final CompletableFuture<ClientStream> head = new CompletableFuture<>();
        private final CompletableFuture<Call> over = new CompletableFuture<>();
        private final List<Integer> interim = new CopyOnWriteArrayList<>();
        private volatile @Nullable ClientStream stream;
        private volatile @Nullable ResponseHead response;
        private volatile @Nullable Throwable failure;
        private volatile boolean reading = true;

        Call(String method, String target, byte[] body, boolean lengthKnown) {
            this.method = method;
            this.target = target;
            this.body = ByteBuffer.wrap(body);
            this.lengthKnown = lengthKnown;
        }

        Call with(String name, String value) {
            fields.add(name, value);
            return this;
        }

        Call withTrailer(String name, String value) {
            requestTrailers.add(name, value);
            return this;
        }

        /** Reads nothing but the head of the response. */
        Call withoutReading() {
            reading = false;
            return this;
        }

        /** All of it, or its failure. */
        Call await() throws Exception {
            return Deadline.await(over);
        }

        /** The stream, once the head of the response has come. */
        ClientStream awaitHead() throws Exception {
            return Deadline.await(head);
        }

        /** Gives it up as soon as it is under way. */
        void abort() {
            ClientStream begun = stream;
            if (begun != null) {
                begun.abort(null);
            }
        }

        boolean isStarted() {
            return stream != null;
        }

        int status() {
            ResponseHead known = response;
            return known == null ? 0 : known.status();
        }

        ResponseHead head() {
            ResponseHead known = response;
            if (known == null) {
                throw new AssertionError("there is no response", failure);
            }
            return known;
        }

        byte[] body() {
            return received.toByteArray();
        }

        String text() {
            if (failure != null) {
                throw new AssertionError(method + " " + target + ": the response is not whole", failure);
            }
            return received.toString(StandardCharsets.ISO_8859_1);
        }

        boolean isComplete() {
            return failure == null;
        }

        List<Integer> interim() {
            return interim;
        }

        @Override
        public void onSession(ClientSession session) {
            long length = lengthKnown ? body.remaining() : -1;
            ClientStream started = session.start(new ClientRequest(method, target, fields, length, null), this);
            if (started == null) {
                onFailed(new ClientException(
                        ClientException.Reason.CLOSED, ClientException.Processed.NO, "closed meanwhile", null));
            }
        }

        @Override
        public void onHeadSent(ClientStream sent) {
            stream = sent;
            if (body.hasRemaining() || !lengthKnown) {
                send(sent);
            }
        }

        private void send(ClientStream to) {
            ByteBuffer piece = body.slice().limit(Math.min(PIECE, body.remaining()));
            body.position(body.position() + piece.remaining());
            boolean last = !body.hasRemaining();
            if (last && requestTrailers.size() > 0) {
                to.trailers(requestTrailers);
            }
            to.send(piece, last, failed -> {
                if (failed == null && !last) {
                    send(to);
                }
            });
        }

        @Override
        public void onInform(int status, Headers informed) {
            interim.add(status);
        }

        @Override
        public void onHead(ClientStream answered, ResponseHead came) {
            stream = answered;
            response = came;
            head.complete(answered);
            if (reading) {
                read(answered);
            }
        }

        @Override
        public void onFailed(ClientException thrown) {
            failure = thrown;
            head.completeExceptionally(thrown);
            over.complete(this);
        }

        private void read(ClientStream from) {
            try {
                Chunk chunk = from.read();
                while (chunk != null && !chunk.isEnd()) {
                    while (chunk.bytes().hasRemaining()) {
                        received.write(chunk.bytes().get());
                    }
                    chunk.release();
                    chunk = from.read();
                }
                if (chunk == null) {
                    from.awaitReadable(() -> read(from));
                    return;
                }
            } catch (IOException broken) {
                failure = broken;
            }
            over.complete(this);
        }
    }
}
