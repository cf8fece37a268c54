package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.exchange.HttpHandler;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.BufferPool;
import io.millrace.proxy.BackendStatus;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.SocketLink;
import io.millrace.testkit.Transports;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** WebSockets through the proxy to an HTTP/2 backend (RFC 8441). The proxy … */
@Timeout(120)
final class TunnelsToBackendsTest {

    private static final String UPGRADE = String.join(
            "\r\n",
            "GET /chat HTTP/1.1",
            "Host: shop",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
            "",
            "");

    /** With ENABLE_CONNECT_PROTOCOL. */
    private static final String TUNNELS = "0008 00000001";

    private static final int CANCEL = 8;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.add(resource);
        return resource;
    }

    private static Connector connector(String transport) {
        return Connector.builder()
                .transport(transport)
                .address("127.0.0.1")
                .port(0)
                .protocols(List.of(
                        new Http2Protocol(Settings.DEFAULTS, "http"), new Http1Protocol(Settings.DEFAULTS, "http")))
                .build();
    }

    private Server backend(String transport) throws IOException {
        HttpHandler echo = new WebSocketHandler(
                new Echo(), WebSocketOptions.DEFAULT.with(WebSocketOptions.MAX_BINARY_SIZE, 1_000_000));
        Server server = Server.builder()
                .transport(Transports.provider(transport))
                .connector(connector(transport))
                .handler(echo)
                .start();
        open.add(() -> server.stop(Duration.ZERO));
        return server;
    }

    private static final class Echo implements WebSocketListener {

        @Override
        public void onText(WebSocketConnection connection, String message) {
            connection.sendText(message);
        }

        @Override
        public void onBinary(WebSocketConnection connection, ByteBuffer message) {
            connection.sendBinary(message);
        }
    }

    private int proxy(String transport, ProxyApplication application) throws IOException {
        Server server = Server.builder()
                .transport(Transports.provider(transport))
                .connector(connector(transport))
                .application(application)
                .start();
        open.add(() -> server.stop(Duration.ZERO));
        return server.port();
    }

    private static ProxyApplication to(int port) {
        return ProxyApplication.to("h2c://127.0.0.1:" + port).with(ProxyOptions.RETRIES, 0);
    }

    private static byte[] pattern(int seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static List<String> transports() {
        return Transports.installed();
    }

    /** The messages that the JDK's client receives, which checks Sec-WebSocket-Accept. */
    private static final class Received implements WebSocket.Listener {

        private final LinkedBlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
        private final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

        @Override
        public CompletionStage<?> onBinary(WebSocket webSocket, ByteBuffer data, boolean last) {
            while (data.hasRemaining()) {
                parts.write(data.get());
            }
            if (last) {
                messages.add(parts.toByteArray());
                parts.reset();
            }
            webSocket.request(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket webSocket, int status, String reason) {
            closed.complete(status);
            return CompletableFuture.completedFuture(null);
        }

        private byte[] next() throws InterruptedException {
            byte[] message = messages.poll(Deadline.DEFAULT.toSeconds(), TimeUnit.SECONDS);
            return message == null ? new byte[0] : message;
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void carriesWebSocketsOfHttp1OnOneConnection(String transport) throws Exception {
        ProxyApplication application = to(backend(transport).port());
        URI uri = URI.create("ws://127.0.0.1:" + proxy(transport, application) + "/chat");
        HttpClient client = HttpClient.newHttpClient();
        List<Received> received = new ArrayList<>();
        List<WebSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            received.add(new Received());
            sockets.add(Deadline.await(client.newWebSocketBuilder()
                    .buildAsync(uri, received.get(i))
                    .toCompletableFuture()));
        }
        for (int size : new int[] {0, 5, 70_000, 1_000_000}) {
            for (int i = 0; i < sockets.size(); i++) {
                byte[] message = pattern(i, size);
                Deadline.await(sockets.get(i)
                        .sendBinary(ByteBuffer.wrap(message), true)
                        .toCompletableFuture());
                assertArrayEquals(message, received.get(i).next());
            }
        }
        assertEquals(
                List.of(1),
                application.status().stream().map(BackendStatus::connections).toList());
        for (int i = 0; i < sockets.size(); i++) {
            Deadline.await(sockets.get(i).sendClose(4000, "enough").toCompletableFuture());
            assertEquals(4000, Deadline.await(received.get(i).closed));
        }
        Deadline.await(
                "the end of all requests", () -> application.status().get(0).running() == 0);
    }

    @Test
    void carriesAWebSocketOfHttp2() throws Exception {
        RawClient client = opened(RawClient.connect(
                proxy(Transports.byDefault(), to(backend(Transports.byDefault()).port()))));
        Http2TunnelLink tunnel = new Http2TunnelLink(new SocketLink(client, BufferPool.ofDefaultSize()));
        tunnel.send(UPGRADE.getBytes(StandardCharsets.ISO_8859_1));
        String head = new String(tunnel.receive(), StandardCharsets.ISO_8859_1);
        assertTrue(!head.contains("sec-websocket-accept"), head);
        tunnel.send(new byte[] {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, 'h', 'i'});
        assertArrayEquals(new byte[] {(byte) 0x81, 2, 'h', 'i'}, tunnel.receive());
    }

    /** The client would take 2xx for an open tunnel (RFC 8441, 5). */
    @Test
    void answers501WhereTheBackendSendsAPageInsteadOfATunnel() throws Exception {
        ServerSocket listener = listening();
        ProxyApplication application = ProxyApplication.to("http://127.0.0.1:" + listener.getLocalPort());
        RawClient client = opened(RawClient.connect(proxy(Transports.byDefault(), application)));
        Http2TunnelLink tunnel = new Http2TunnelLink(new SocketLink(client, BufferPool.ofDefaultSize()));
        tunnel.send(UPGRADE.getBytes(StandardCharsets.ISO_8859_1));
        Socket backend = opened(listener.accept());
        backend.getOutputStream()
                .write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage".getBytes(StandardCharsets.ISO_8859_1));
        String head = new String(tunnel.receive(), StandardCharsets.ISO_8859_1);
        assertTrue(head.contains("501"), head);
    }

    // ---- scripted backends

    private ServerSocket listening() throws IOException {
        return opened(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }

    private record Frame(int type, int flags, int id, ByteBuffer payload) {

        byte[] bytes() {
            byte[] bytes = new byte[payload.remaining()];
            payload.duplicate().get(bytes);
            return bytes;
        }
    }

    /** The backend's side of a connection. */
    private record Peer(Socket socket) {

        Peer begin(String settings) throws IOException {
            InputStream in = socket.getInputStream();
            assertEquals('P', in.readNBytes(Http2Reader.PREFACE.length)[0]);
            send(new Wire().hex(Frames.SETTINGS, 0, 0, settings));
            return this;
        }

        void send(Wire wire) throws IOException {
            socket.getOutputStream().write(wire.toArray());
        }

        Frame frame() throws IOException {
            InputStream in = socket.getInputStream();
            ByteBuffer head = ByteBuffer.wrap(in.readNBytes(Frames.HEAD));
            int lengthAndType = head.getInt();
            int flags = head.get();
            return new Frame(
                    lengthAndType & 0xff, flags, head.getInt(), ByteBuffer.wrap(in.readNBytes(lengthAndType >>> 8)));
        }

        /** The next frame of this type. */
        Frame next(int type) throws IOException {
            Frame frame = frame();
            while (frame.type() != type) {
                frame = frame();
            }
            return frame;
        }
    }

    private Peer accept(ServerSocket listener) throws IOException {
        return new Peer(opened(listener.accept()));
    }

    private RawClient asking(int proxy) throws IOException {
        return opened(RawClient.connect(proxy)).send(UPGRADE);
    }

    /** A server may ignore Upgrade (RFC 9110, 7.8), so that a page is a page whatever the protocol of its backend. */
    @Test
    void asksForAnOrdinaryResponseWhereTheBackendOpensNone() throws Exception {
        ServerSocket listener = listening();
        int proxy = proxy(Transports.byDefault(), to(listener.getLocalPort()));
        RawClient first = asking(proxy);
        Peer backend = accept(listener).begin("");
        assertEquals(1, backend.next(Frames.HEADERS).id()); // the first one ever
        backend.send(new Wire().request(1, true, ":status", "200"));
        assertTrue(first.readUntil("\r\n\r\n").startsWith("HTTP/1.1 200 "));
        RawClient second = asking(proxy);
        assertEquals(3, backend.next(Frames.HEADERS).id());
        backend.send(new Wire().request(3, true, ":status", "404"));
        assertTrue(second.readUntil("\r\n\r\n").startsWith("HTTP/1.1 404 "));
    }

    @Test
    void answersForABackendThatSaysNothing() throws Exception {
        ServerSocket listener = listening();
        RawClient client = asking(proxy(
                Transports.byDefault(),
                to(listener.getLocalPort()).with(ProxyOptions.RESPONSE_TIMEOUT, Duration.ofMillis(300))));
        accept(listener);
        assertTrue(client.readUntil("\r\n\r\n").startsWith("HTTP/1.1 504 "));
    }

    @Test
    void answersForABackendThatDoesNotAnswerTheHandshake() throws Exception {
        ServerSocket listener = listening();
        RawClient client = asking(proxy(
                Transports.byDefault(),
                to(listener.getLocalPort()).with(ProxyOptions.RESPONSE_TIMEOUT, Duration.ofMillis(300))));
        Peer backend = accept(listener).begin(TUNNELS);
        backend.next(Frames.HEADERS);
        assertTrue(client.readUntil("\r\n\r\n").startsWith("HTTP/1.1 504 "));
        assertEquals(CANCEL, backend.next(Frames.RST_STREAM).payload().get(3));
    }

    @Test
    void answersForABackendThatGoesBeforeItsSettings() throws Exception {
        ServerSocket listener = listening();
        RawClient client = asking(proxy(Transports.byDefault(), to(listener.getLocalPort())));
        accept(listener).socket().close();
        assertTrue(client.readUntil("\r\n\r\n").startsWith("HTTP/1.1 502 "));
    }

    @Test
    void givesUpAHandshakeThatWaitsForSettingsWhenItsClientGoes() throws Exception {
        ServerSocket listener = listening();
        ProxyApplication application = to(listener.getLocalPort());
        int proxy = proxy(Transports.byDefault(), application);
        RawClient client = asking(proxy);
        Peer backend = accept(listener);
        client.reset();
        Deadline.await(
                "the request to be over", () -> application.status().get(0).running() == 0);
        backend.begin(TUNNELS);
        opened(RawClient.connect(proxy)).send("GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
        assertEquals(1, backend.next(Frames.HEADERS).id());
    }

    @Test
    void passesARefusalOfTheBackend() throws Exception {
        ServerSocket listener = listening();
        RawClient client = asking(proxy(Transports.byDefault(), to(listener.getLocalPort())));
        Peer backend = accept(listener).begin(TUNNELS);
        int id = backend.next(Frames.HEADERS).id();
        backend.send(new Wire().request(id, false, ":status", "403").data(id, "members only", true));
        String refused = client.readUntil("members only");
        assertTrue(refused.startsWith("HTTP/1.1 403 "), refused);
        assertEquals(CANCEL, backend.next(Frames.RST_STREAM).payload().get(3)); // the proxy's side is not left open
    }

    private Peer tunnel(RawClient client, ServerSocket listener) throws IOException {
        Peer backend = accept(listener).begin(TUNNELS);
        Frame asked = backend.next(Frames.HEADERS);
        assertEquals(Frames.END_HEADERS, asked.flags()); // and no END_STREAM
        backend.send(new Wire().request(asked.id(), false, ":status", "200"));
        String head = client.readUntil("\r\n\r\n");
        assertTrue(head.startsWith("HTTP/1.1 101 "), head);
        assertTrue(
                head.toLowerCase(Locale.ROOT).contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=\r\n"), head);
        return backend;
    }

    @Test
    void endsEachDirectionByItself() throws Exception {
        ServerSocket listener = listening();
        RawClient client = asking(proxy(Transports.byDefault(), to(listener.getLocalPort())));
        Peer backend = tunnel(client, listener);
        backend.send(new Wire().data(1, "last", true));
        assertEquals("last", client.readTextToEnd());
        client.send("more");
        assertEquals("more", new String(backend.next(Frames.DATA).bytes(), StandardCharsets.US_ASCII));
        client.finish();
        Frame end = backend.next(Frames.DATA);
        assertEquals(Frames.END_STREAM, end.flags() & Frames.END_STREAM);
    }

    @Test
    void cutsTheClientThatTheBackendResets() throws Exception {
        ServerSocket listener = listening();
        RawClient client = asking(proxy(Transports.byDefault(), to(listener.getLocalPort())));
        Peer backend = tunnel(client, listener);
        backend.send(new Wire().hex(Frames.RST_STREAM, 0, 1, "00000008"));
        client.awaitClose();
    }

    @Test
    void resetsTheStreamOfAClientThatGoes() throws Exception {
        ServerSocket listener = listening();
        ProxyApplication application = to(listener.getLocalPort());
        RawClient client = asking(proxy(Transports.byDefault(), application));
        Peer backend = tunnel(client, listener);
        client.reset();
        assertEquals(CANCEL, backend.next(Frames.RST_STREAM).payload().get(3));
        Deadline.await(
                "the request to be over", () -> application.status().get(0).running() == 0);
    }

    /** The client sends more than the backend's window: the proxy waits for it to open, and finally the client does too. */
    @Test
    void sendsNoMoreThanTheBackendsWindow() throws Exception {
        ServerSocket listener = listening();
        RawClient client = asking(proxy(Transports.byDefault(), to(listener.getLocalPort())));
        Peer backend = tunnel(client, listener);
        byte[] body = pattern(7, 3_000_000);
        Thread sender = new Thread(() -> {
            try {
                client.send(body).finish();
            } catch (IOException broken) {
                throw new AssertionError(broken);
            }
        });
        sender.start();
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        while (received.size() < 65_535) {
            received.write(backend.next(Frames.DATA).bytes());
        }
        backend.send(new Wire().frame(Frames.PING, 0, 0, new byte[8]));
        assertEquals(Frames.ACK, backend.frame().flags()); // of the ping: no frame in between
        backend.send(
                new Wire().hex(Frames.WINDOW_UPDATE, 0, 0, "01000000").hex(Frames.WINDOW_UPDATE, 0, 1, "01000000"));
        boolean end = false;
        while (!end) {
            Frame frame = backend.next(Frames.DATA);
            received.write(frame.bytes());
            end = (frame.flags() & Frames.END_STREAM) != 0;
        }
        assertArrayEquals(body, received.toByteArray());
        sender.join();
    }

    /** Data that the client does not read occupy no memory: the backend's window stays closed. */
    @Test
    void opensItsWindowAsTheClientReads() throws Exception {
        ServerSocket listener = listening();
        RawClient client = asking(proxy(Transports.byDefault(), to(listener.getLocalPort())));
        Peer backend = tunnel(client, listener);
        int total = 60_000_000; // more than the system's buffers
        int credit = 65_535;
        int sent = 0;
        byte[] piece = new byte[Frames.MAX_PAYLOAD];
        backend.socket().setSoTimeout(500);
        try {
            while (sent < total) {
                while (credit < piece.length) {
                    Frame frame = backend.next(Frames.WINDOW_UPDATE);
                    credit += frame.id() == 1 ? frame.payload().getInt() : 0;
                }
                backend.send(new Wire().frame(Frames.DATA, 0, 1, piece));
                sent += piece.length;
                credit -= piece.length;
            }
        } catch (SocketTimeoutException closed) {
            // the window
        }
        assertTrue(sent < total, "all was taken");
        int unread = sent;
        while (unread > 0) {
            unread -= client.readSome(unread).length;
        }
    }
}
