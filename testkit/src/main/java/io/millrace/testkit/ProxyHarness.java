package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Application;
import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.exchange.HttpHandler;
import io.millrace.io.TransportProvider;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The sockets of one test of a proxy: its servers on a transport, and a backend and clients that are controlled by the test. */
public final class ProxyHarness {

    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    /** A request without a body. */
    public static final String GET = "GET /a?b HTTP/1.1\r\nHost: shop\r\n\r\n";

    /** A WebSocket handshake. */
    public static final String UPGRADE = lines(
            "GET /chat HTTP/1.1",
            "Host: shop",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13");

    private final List<AutoCloseable> open = new ArrayList<>();
    private final TransportProvider provider;
    private final ServerSocket backend;

    /** A proxy and its backend on this transport. */
    public ProxyHarness(TransportProvider provider) throws IOException {
        this.provider = provider;
        backend = listening();
    }

    /** Closes everything, in reverse order. */
    public void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    /** Registers a resource to close at the end of the test. */
    public <T extends AutoCloseable> T opened(T resource) {
        open.add(resource);
        return resource;
    }

    /** Another backend, which the test controls. */
    public ServerSocket listening() throws IOException {
        return opened(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }

    /** The first backend. */
    ServerSocket backend() {
        return backend;
    }

    static String uri(int port) {
        return "http://127.0.0.1:" + port;
    }

    /** A server with one application. */
    public Server start(Application proxy) throws IOException {
        return start(server().application(proxy));
    }

    Server start(HttpHandler handler) throws IOException {
        return start(server().handler(handler));
    }

    private ServerBuilder server() {
        Connector connector = Connector.builder()
                .transport(provider.name())
                .address("127.0.0.1")
                .port(0)
                .build();
        return Server.builder().transport(provider).connector(connector);
    }

    private Server start(ServerBuilder builder) throws IOException {
        Server server = builder.start();
        open.add(() -> server.stop(Duration.ZERO));
        return server;
    }

    /** A client of a proxy to the test's backend, which uses one connection at a time. */
    Peer client() throws IOException {
        return client(start(ProxyApplication.to(uri(backend().getLocalPort())).with(ProxyOptions.MAX_CONNECTIONS, 1)));
    }

    /** A connection to a server. */
    public Peer client(Server server) throws IOException {
        return opened(new Peer(new Socket(InetAddress.getLoopbackAddress(), server.port())));
    }

    /** The next connection of a proxy to the first backend. */
    Peer accept() throws IOException {
        return opened(new Peer(backend().accept()));
    }

    /** One end of a connection. */
    public record Peer(Socket socket) implements AutoCloseable {

        /** Sends ISO 8859-1 text. */
        public Peer send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return this;
        }

        /** Receives up to and including this text. */
        public String receive(String end) throws IOException {
            StringBuilder text = new StringBuilder();
            InputStream in = socket.getInputStream();
            while (text.indexOf(end) < 0) {
                int octet = in.read();
                if (octet < 0) {
                    throw new IOException("the peer ended after " + text);
                }
                text.append((char) octet);
            }
            return text.toString();
        }

        /** Receives up to and including the next empty line. */
        public String head() throws IOException {
            return receive("\r\n\r\n");
        }

        /** Receives up to the end or a reset. */
        public String rest() {
            StringBuilder text = new StringBuilder();
            try {
                for (int octet = socket.getInputStream().read();
                        octet >= 0;
                        octet = socket.getInputStream().read()) {
                    text.append((char) octet);
                }
            } catch (IOException reset) {
                text.append("RESET");
            }
            return text.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** A head of these lines. */
    public static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    /** Checks a status line. */
    public static void assertStatus(int status, String response) {
        assertTrue(response.startsWith("HTTP/1.1 " + status + " "), response);
    }
}
