package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.Destination;
import io.millrace.client.PoolLimits;
import io.millrace.client.SessionPool;
import io.millrace.http.Headers;
import io.millrace.http1.Http1Client;
import io.millrace.io.Chunk;
import io.millrace.io.TransportProvider;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.material.TlsClients;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTTP/1.1 client on a transport, with its connection pool. A client … */
@Timeout(120)
public abstract class ClientContract {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final PoolLimits LIMITS = new PoolLimits(2, 1, 100, LONG, LONG, LONG);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final WorkerPool workers = new WorkerPool("test-workers", 20, 0);
    private @Nullable TransportHarness harness;
    private @Nullable ServerSocket server;

    private final Queue<TlsClientEngines> tls = new ConcurrentLinkedQueue<>();

    @TempDir
    private @Nullable Path directory;

    /** The transport. */
    protected abstract TransportProvider provider();

    /** The TLS implementation of the client; the JDK's by default. */
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }

    @BeforeEach
    void open() throws IOException {
        harness = TransportHarness.secured(provider(), TestTls.by(TlsImplementation.JSSE));
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws Exception {
        server().close();
        harness().close();
        workers.close();
        tls.forEach(TlsClientEngines::close);
    }

    private TransportHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("no test is running");
        }
        return harness;
    }

    private ServerSocket server() {
        if (server == null) {
            throw new IllegalStateException("no test is running");
        }
        return server;
    }

    private TlsClientEngines tls(TlsClientOptions options) {
        TlsClientEngines opened = TlsClients.open(options.with(TlsOptions.IMPLEMENTATION, implementation()));
        tls.add(opened);
        return opened;
    }

    private SessionPool pool(PoolLimits limits) throws IOException {
        return pool(new Destination(server().getLocalSocketAddress(), null), limits);
    }

    private SessionPool pool(Destination destination, PoolLimits limits) throws IOException {
        return new SessionPool(
                destination,
                new Http1Client(Settings.DEFAULTS, LONG, LONG),
                limits,
                harness().dialer(),
                workers,
                harness().timers());
    }

    /** Sends one request when the pool provides a session. */
    private static final class Call implements SessionPool.Waiter {

        private final ClientTranscript transcript = new ClientTranscript();
        private final CompletableFuture<ClientException> failure = new CompletableFuture<>();
        private final String method;

        Call(String method) {
            this.method = method;
        }

        @Override
        public void onSession(ClientSession session) {
            ClientRequest request = new ClientRequest(method, "/", new Headers().add("Host", "x"), 0, null);
            assertNotNull(session.start(request, transcript));
        }

        @Override
        public void onFailed(ClientException thrown) {
            failure.complete(thrown);
        }

        private String answer() throws Exception {
            return transcript.await();
        }

        private void assertFailed(Reason reason) throws Exception {
            ClientException thrown = Deadline.await(failure);
            assertEquals(reason, thrown.reason(), thrown::getMessage);
            assertEquals(Processed.NO, thrown.processed());
        }
    }

    private static Call call(SessionPool pool) {
        Call call = new Call("GET");
        pool.acquire(call);
        return call;
    }

    private static void receive(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (head.indexOf("\r\n\r\n") < 0) {
            int octet = in.read();
            if (octet < 0) {
                throw new IOException("the client has closed the connection after " + head);
            }
            head.append((char) octet);
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    @DiffersByTransport
    void usesAConnectionAgain() throws Exception {
        SessionPool pool = pool(LIMITS);
        Call first = call(pool);
        try (Socket socket = server().accept()) {
            for (int i = 0; i < 3; i++) {
                Call call = i == 0 ? first : call(pool);
                receive(socket);
                send(socket, OK);
                assertEquals("200[2](ok)END", call.answer());
                Deadline.await("the connection to be idle", () -> pool.idle() == 1);
            }
            assertEquals(1, pool.connections());
            pool.close();
            assertEquals(-1, socket.getInputStream().read());
        }
        Deadline.await("the connection to be counted off", () -> pool.connections() == 0);
    }

    @Test
    void waitsInLineWhenAllConnectionsAreInUse() throws Exception {
        SessionPool pool = pool(LIMITS);
        List<Call> calls = new ArrayList<>(List.of(call(pool), call(pool), call(pool)));
        call(pool).assertFailed(Reason.TOO_MANY_WAITING);
        try (Socket one = server().accept();
                Socket two = server().accept()) {
            receive(one);
            receive(two);
            send(one, OK);
            receive(one);
            send(two, OK);
            send(one, OK);
            for (Call call : calls) {
                assertEquals("200[2](ok)END", call.answer());
            }
        }
    }

    @Test
    void dialsAgainForWhoWaitsWhenAConnectionEnds() throws Exception {
        SessionPool pool = pool(new PoolLimits(1, 1, 100, LONG, LONG, LONG));
        Call first = call(pool);
        Call second = call(pool);
        try (Socket socket = server().accept()) {
            receive(socket);
            send(socket, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
            assertEquals("200[2](ok)END", first.answer());
        }
        try (Socket socket = server().accept()) {
            receive(socket);
            send(socket, OK);
            assertEquals("200[2](ok)END", second.answer());
        }
    }

    @Test
    void doesNotWaitInLineForEver() throws Exception {
        SessionPool pool = pool(new PoolLimits(1, 1, 100, Duration.ofMillis(50), LONG, LONG));
        call(pool);
        call(pool).assertFailed(Reason.WAITED_TOO_LONG);
    }

    @Test
    @DiffersByTransport
    void forgetsAConnectionThatTheServerEnds() throws Exception {
        SessionPool pool = pool(LIMITS);
        Call first = call(pool);
        try (Socket socket = server().accept()) {
            receive(socket);
            send(socket, OK);
            first.answer();
        }
        Deadline.await("the connection to be forgotten", () -> pool.connections() == 0);
        Call second = call(pool);
        try (Socket socket = server().accept()) {
            receive(socket);
            send(socket, OK);
            assertEquals("200[2](ok)END", second.answer());
        }
    }

    @Test
    @DiffersByTransport
    void saysThatNobodyListens() throws Exception {
        server().close();
        SessionPool pool = pool(LIMITS);
        call(pool).assertFailed(Reason.DIAL);
        Deadline.await("the dial to be counted off", () -> pool.connections() == 0);
    }

    @Test
    @DiffersByTransport
    void speaksTls() throws Exception {
        assertTrue(directory != null);
        Path certificate = directory.resolve("certificate.pem");
        TestTls.writePem(certificate, directory.resolve("key.pem"));
        harness().serve(ClientContract::answer);
        int port = ((InetSocketAddress) harness().address()).getPort();
        InetSocketAddress address = InetSocketAddress.createUnresolved("localhost", port);
        TlsClientEngines trusting = tls(TlsClientOptions.DEFAULT.with(TlsHost.CA_CERTIFICATE_FILE, certificate));
        SessionPool pool = pool(new Destination(address, trusting), LIMITS);
        assertEquals("200[2](ok)END", call(pool).answer());
        assertEquals("200[2](ok)END", call(pool).answer());
        TlsClientEngines distrustful = tls(TlsClientOptions.DEFAULT);
        call(pool(new Destination(address, distrustful), LIMITS)).assertFailed(Reason.TLS);
    }

    /**
     * Looked for by the request, as the transport's thread cannot call meanwhile. On nio2, whose read is pending, there may be nothing to be
     * found before the transport calls.
     */
    @ParameterizedTest
    @DiffersByTransport
    @ValueSource(booleans = {true, false})
    void sendsNoRequestThatCannotBeRepeatedWhereTheServerHasEndedTls(boolean orderly) throws Exception {
        assertTrue(directory != null);
        Path certificate = directory.resolve("certificate.pem");
        TestTls.writePem(certificate, directory.resolve("key.pem"));
        InetSocketAddress address = InetSocketAddress.createUnresolved("localhost", server().getLocalPort());
        TlsClientEngines trusting = tls(TlsClientOptions.DEFAULT.with(TlsHost.CA_CERTIFICATE_FILE, certificate));
        SessionPool pool = pool(new Destination(address, trusting), LIMITS.forOne());
        Call first = call(pool);
        Call second = new Call("POST");
        try (Socket plain = server().accept();
                SSLSocket socket = (SSLSocket) serverContext()
                        .getSocketFactory()
                        .createSocket(plain, "localhost", server().getLocalPort(), false)) {
            socket.setUseClientMode(false);
            receive(socket);
            first.transcript.atEnd(() -> {
                end(orderly ? List.of(socket, plain) : List.of(plain));
                pool.acquire(second);
            });
            send(socket, OK);
            assertEquals("200[2](ok)END", first.answer());
            String outcome = second.answer();
            boolean looks = !provider().name().equals("nio2");
            assertTrue(looks ? outcome.equals("CLOSED/NO") : outcome.startsWith("CLOSED/"), outcome);
        }
    }

    private static void end(List<Socket> sockets) {
        try {
            for (Socket each : sockets) {
                each.close();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static SSLContext serverContext() throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(TestTls.keyStore(), TestTls.PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /** The server's name may have another address by then. */
    @Test
    void replacesAConnectionThatIsTooOldAfterARequest() throws Exception {
        SessionPool pool = pool(new PoolLimits(1, 1, 100, LONG, LONG, LONG, Duration.ofNanos(1)));
        for (int i = 0; i < 2; i++) {
            Call call = call(pool);
            try (Socket socket = server().accept()) {
                receive(socket);
                send(socket, OK);
                assertEquals("200[2](ok)END", call.answer());
                assertEquals(-1, socket.getInputStream().read());
            }
        }
    }

    /** Responds to each chunk, which is a request. */
    private static void answer(Probe probe) {
        Chunk chunk = probe.read();
        if (chunk == null) {
            if (!probe.isClosed()) {
                probe.connection().awaitReadable();
            }
        } else if (chunk.isEnd()) {
            probe.close();
        } else {
            chunk.release();
            probe.write(OK.getBytes(StandardCharsets.ISO_8859_1), failure -> answer(probe));
        }
    }
}
