package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertTrue;

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
import io.millrace.io.TransportProvider;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.TransportHarness;
import io.millrace.testkit.Transports;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A proxy with twenty connections to its backend, and clients that want thirty of them for as long as they can. It … */
@Timeout(60)
final class ProxySharesTest {

    private static final Duration LONG = Duration.ofSeconds(50);
    private static final int CONNECTIONS = 20;
    private static final int GREEDY = 30;

    private final WorkerPool workers = new WorkerPool("test-workers", 2, 0);
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        workers.close();
    }

    /** Three connections with many requests each; or a connection for each request, if the protocol has no streams. */
    @ParameterizedTest
    @CsvSource({"http, /up", "http, /big", "h2c, /up", "h2c, /big", "spdy, /up", "spdy, /big"})
    void servesOthersWhateverSlowClientsHold(String scheme, String path) throws Exception {
        Connectors.assume(scheme.equals("h2c"), "http2");
        Connectors.assume(scheme.equals("spdy"), "spdy");
        TransportProvider provider = Transports.provider(Transports.byDefault());
        ProxyApplication application = ProxyApplication.to("http://127.0.0.1:" + backend())
                .with(ProxyOptions.MAX_CONNECTIONS, CONNECTIONS)
                .with(ProxyOptions.WAIT_TIMEOUT, LONG);
        ConnectorBuilder greedy = Connector.builder().transport(provider.name()).address("127.0.0.1");
        if (!scheme.equals("http")) {
            String protocol = scheme.equals("h2c") ? "http2" : scheme;
            greedy.protocols(List.of(Connectors.protocol(protocol).create("http", Settings.DEFAULTS)));
        }
        Server proxy = Server.builder()
                .transport(provider)
                .connector(Connector.builder()
                        .transport(provider.name())
                        .address("127.0.0.1")
                        .port(0)
                        .build())
                .connector(greedy.port(0).build())
                .application(application)
                .start();
        open.add(() -> proxy.stop(Duration.ZERO));
        TransportHarness harness = new TransportHarness(provider);
        open.add(harness::close);
        int port = proxy.ports().get(1);
        List<ClientSession> sessions = new CopyOnWriteArrayList<>();
        open.add(() -> sessions.forEach(session -> session.close(null)));
        for (int i = 0; i < 3; i++) {
            SessionPool pool = new SessionPool(
                    new Destination(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), null),
                    protocol(scheme),
                    new PoolLimits(scheme.equals("http") ? GREEDY / 3 : 1, 0, 100, LONG, LONG, LONG),
                    harness.dialer(),
                    workers,
                    harness.timers());
            open.add(pool::close);
            for (int k = 0; k < GREEDY / 3; k++) {
                pool.acquire(new Greedy(path, sessions));
            }
            int begun = (i + 1) * GREEDY / 3;
            Deadline.await("all requests", () -> running(application) == begun);
        }
        Deadline.await(
                "a share of connections", () -> application.status().get(0).limited() > 0);
        int held = application.status().get(0).connections();
        assertTrue(held < CONNECTIONS, "they hold " + held);
        try (Socket other = new Socket(
                InetAddress.getLoopbackAddress(), proxy.port(), InetAddress.getAllByName("127.0.0.2")[0], 0)) {
            for (int i = 0; i < 10; i++) {
                other.getOutputStream()
                        .write("GET /ok HTTP/1.1\r\nHost: shop\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertTrue(receive(other.getInputStream(), "ok").startsWith("HTTP/1.1 200 "));
            }
        }
        Deadline.await("the others to be served", () -> running(application) == GREEDY);
    }

    private static int running(ProxyApplication application) {
        return application.status().get(0).running();
    }

    private static ClientProtocol protocol(String name) {
        for (ClientProtocolProvider each : ServiceLoader.load(ClientProtocolProvider.class)) {
            for (ClientScheme scheme : each.schemes()) {
                if (scheme.name().equals(name)) {
                    return each.create(scheme, Settings.DEFAULTS, LONG, LONG);
                }
            }
        }
        throw new IllegalArgumentException(name);
    }

    /** Sends the first bytes of a body, or reads none of a response. */
    private record Greedy(String path, List<ClientSession> sessions) implements SessionPool.Waiter, ResponseListener {

        private static final int LENGTH = 100_000;

        @Override
        public void onSession(ClientSession session) {
            sessions.add(session);
            boolean sends = path.equals("/up");
            session.start(
                    new ClientRequest(
                            sends ? "POST" : "GET", path, new Headers().add("Host", "shop"), sends ? LENGTH : 0, null),
                    this);
        }

        @Override
        public void onFailed(ClientException failure) {}

        @Override
        public void onHeadSent(ClientStream stream) {
            if (path.equals("/up")) {
                stream.send(ByteBuffer.allocate(10), false, failure -> {});
            }
        }

        @Override
        public void onInform(int status, Headers fields) {}

        @Override
        public void onHead(ClientStream stream, ResponseHead head) {}
    }

    /** Waits for the whole of a body, and responds with much or little. */
    private int backend() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        open.add(server);
        Thread acceptor = new Thread(
                () -> {
                    try {
                        while (true) {
                            Socket socket = server.accept();
                            Thread thread = new Thread(() -> serve(socket), "backend");
                            thread.setDaemon(true);
                            thread.start();
                        }
                    } catch (IOException closed) {
                        return;
                    }
                },
                "backend");
        acceptor.setDaemon(true);
        acceptor.start();
        return server.getLocalPort();
    }

    private static void serve(Socket accepted) {
        try (Socket socket = accepted) {
            while (true) {
                String head = receive(socket.getInputStream(), "\r\n\r\n");
                if (head.startsWith("POST ")) {
                    socket.getInputStream().readNBytes(Greedy.LENGTH);
                }
                int length = head.startsWith("GET /big ") ? 10_000_000 : 2;
                byte[] body = length > 2 ? new byte[length] : "ok".getBytes(StandardCharsets.US_ASCII);
                socket.getOutputStream()
                        .write(("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(body);
            }
        } catch (IOException broken) {
            return; // the proxy has closed the connection
        }
    }

    private static String receive(InputStream in, String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.length() < end.length() || text.indexOf(end, text.length() - end.length()) < 0) {
            int octet = in.read();
            if (octet < 0) {
                throw new IOException("ended after " + text);
            }
            text.append((char) octet);
        }
        return text.toString();
    }
}
