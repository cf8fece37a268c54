package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.proxy.ProxyApplication;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.Transports;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An HTTP/2 backend that violates the protocol, resets and stops. The proxy … */
@Timeout(60)
final class BadBackendTest {

    private static final String POST =
            "POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

    private final ServerSocket backend = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Server proxy;

    BadBackendTest() throws IOException {
        proxy = Server.builder()
                .transport(Transports.provider(Transports.byDefault()))
                .connector(Connector.builder()
                        .transport(Transports.byDefault())
                        .address("127.0.0.1")
                        .port(0)
                        .build())
                .application(ProxyApplication.to("h2c://127.0.0.1:" + backend.getLocalPort()))
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        proxy.stop(Duration.ZERO);
        backend.close();
    }

    private static Wire answer() {
        return new Wire().frame(Frames.SETTINGS, 0, 0);
    }

    private static Wire head(boolean end, String... fields) {
        return answer().request(1, end, fields);
    }

    static List<Arguments> refused() {
        return List.of(
                Arguments.of("no status", head(true, "x", "y")),
                Arguments.of("a status that is no number", head(true, ":status", "abc")),
                Arguments.of("a status that is too short", head(true, ":status", "20")),
                Arguments.of("two of them", head(true, ":status", "200", ":status", "200")),
                Arguments.of("a late one", head(true, "x", "y", ":status", "200")),
                Arguments.of("a pseudo-field of requests", head(true, ":status", "200", ":path", "/")),
                Arguments.of("a switch", head(false, ":status", "101")),
                Arguments.of("an interim response that ends", head(true, ":status", "103")),
                Arguments.of("an upper-case name", head(true, ":status", "200", "X", "y")),
                Arguments.of("a line break", head(true, ":status", "200", "x", "a\r\nSet-Cookie: b")),
                Arguments.of("a field of connections", head(true, ":status", "200", "transfer-encoding", "chunked")),
                Arguments.of("a length that is no number", head(true, ":status", "200", "content-length", "+1")),
                Arguments.of(
                        "two different lengths",
                        head(true, ":status", "200", "content-length", "0", "content-length", "1")),
                Arguments.of("a body that does not come", head(true, ":status", "200", "content-length", "5")),
                Arguments.of("a head that is too large", head(true, ":status", "200", "x", "y".repeat(20_000))),
                Arguments.of("a body before its head", answer().data(1, "hello", true)),
                Arguments.of("a stream that was not opened", answer().request(3, true, ":status", "200")),
                Arguments.of("a stream of the server's", answer().request(2, true, ":status", "200")),
                Arguments.of(
                        "a pushed response", answer().frame(Frames.PUSH_PROMISE, 4, 1, 4, new byte[] {0, 0, 0, 2})),
                Arguments.of("no settings", new Wire().request(1, true, ":status", "200")),
                Arguments.of("a block that is none", answer().hex(Frames.HEADERS, 5, 1, "ff ff ff ff ff ff ff")),
                Arguments.of("a reset", answer().hex(Frames.RST_STREAM, 0, 1, "00000002")),
                Arguments.of(
                        "HTTP/1.1",
                        new Wire().bytes("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII))),
                Arguments.of("an end", new Wire()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void answers502For(String what, Wire wire) throws Exception {
        String seen = exchange(wire);
        assertTrue(seen.startsWith("HTTP/1.1 502 "), seen);
    }

    static List<Arguments> cut() {
        String[] five = {":status", "200", "content-length", "5"};
        return List.of(
                Arguments.of("too little", head(false, five).data(1, "hell", true)),
                Arguments.of(
                        "too much", head(false, five).data(1, "hell", false).data(1, "oooo", true)),
                Arguments.of(
                        "trailers with a pseudo-field",
                        head(false, ":status", "200").data(1, "hell", false).request(1, true, ":status", "200")),
                Arguments.of(
                        "trailers that are no end",
                        head(false, ":status", "200").data(1, "hell", false).request(1, false, "x", "y")),
                Arguments.of(
                        "a reset",
                        head(false, ":status", "200").data(1, "hell", false).hex(Frames.RST_STREAM, 0, 1, "00000002")),
                Arguments.of("an end", head(false, ":status", "200").data(1, "hell", false)));
    }

    /** It never appears complete: neither by its length nor by a last chunk. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("cut")
    void cutsAResponseWith(String what, Wire wire) throws Exception {
        String seen = exchange(wire);
        assertTrue(seen.startsWith("HTTP/1.1 502 ") || !seen.endsWith("0\r\n\r\n") && !seen.endsWith("hello"), seen);
    }

    static List<Arguments> floods() {
        Wire head = head(false, ":status", "200");
        return List.of(
                Arguments.of("settings", answer(), new Wire().hex(Frames.SETTINGS, 0, 0, "0004 0000ffff")),
                Arguments.of("empty settings", answer(), answer()),
                Arguments.of(
                        "sizes of the table",
                        answer(),
                        new Wire().hex(Frames.SETTINGS, 0, 0, "0001 00000000 0001 00001000")),
                Arguments.of("pings", answer(), new Wire().frame(Frames.PING, 0, 0, new byte[8])),
                Arguments.of("answers to pings", answer(), new Wire().frame(Frames.PING, 1, 0, new byte[8])),
                Arguments.of("windows", answer(), new Wire().hex(Frames.WINDOW_UPDATE, 0, 0, "00000001")),
                Arguments.of("windows of a stream", answer(), new Wire().hex(Frames.WINDOW_UPDATE, 0, 1, "00000001")),
                Arguments.of("resets", answer(), new Wire().hex(Frames.RST_STREAM, 0, 1, "00000002")),
                Arguments.of("interim responses", answer(), new Wire().request(1, false, ":status", "103")),
                Arguments.of(
                        "a head without an end",
                        answer().frame(Frames.HEADERS, 0, 1, Wire.block(":status", "200")),
                        new Wire().frame(Frames.CONTINUATION, 0, 1, Wire.block("x", "y".repeat(1000)))),
                Arguments.of(
                        "empty parts of a head",
                        answer().frame(Frames.HEADERS, 0, 1, Wire.block(":status", "200")),
                        new Wire().frame(Frames.CONTINUATION, 0, 1)),
                Arguments.of("empty DATA", head, new Wire().data(1, "", false)),
                Arguments.of("GOAWAY", answer(), new Wire().hex(Frames.GOAWAY, 0, 0, "7fffffff 00000000")),
                Arguments.of("unknown frames", answer(), new Wire().frame(200, 0, 0, new byte[100])),
                Arguments.of("priorities", answer(), new Wire().hex(Frames.PRIORITY, 0, 1, "00000000 01")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("floods")
    void endsAConnectionThatIsFloodedWith(String what, Wire begin, Wire round) throws Exception {
        byte[] rounds = repeated(round.toArray());
        try (RawClient client = RawClient.connect(proxy.port())) {
            client.send(POST);
            try (Socket socket = backend.accept()) {
                receiveHead(socket.getInputStream());
                socket.getOutputStream().write(begin.toArray());
                try {
                    for (int i = 0; i < 40; i++) { // twice the budget
                        socket.getOutputStream().write(rounds);
                    }
                } catch (SocketException ended) {
                    // the proxy has read enough
                }
                String seen = rest(client);
                assertTrue(seen.startsWith("HTTP/1.1 502 ") || !seen.endsWith("0\r\n\r\n"), seen);
            }
        }
        assertIsServed();
    }

    private static byte[] repeated(byte[] frame) {
        ByteBuffer all = ByteBuffer.allocate(500 * frame.length);
        while (all.hasRemaining()) {
            all.put(frame);
        }
        return all.array();
    }

    /** The response to a client of the proxy, and to the next request, which is not affected. */
    private String exchange(Wire wire) throws Exception {
        String seen;
        try (RawClient client = RawClient.connect(proxy.port())) {
            client.send(POST);
            try (Socket socket = backend.accept()) {
                receiveHead(socket.getInputStream());
                socket.getOutputStream().write(wire.toArray());
                socket.shutdownOutput();
                seen = rest(client);
                receiveEnd(socket.getInputStream());
            }
        }
        assertIsServed();
        return seen;
    }

    private void assertIsServed() throws Exception {
        try (RawClient client = RawClient.connect(proxy.port())) {
            client.send(POST.replace("POST", "GET")); // repeated if that connection ends
            serve();
            String next = rest(client);
            assertTrue(next.startsWith("HTTP/1.1 200 ") && next.contains("fine"), next);
        }
    }

    private static String rest(RawClient client) throws IOException {
        try {
            return client.readTextToEnd();
        } catch (SocketException reset) {
            return "reset";
        }
    }

    private void serve() throws IOException {
        try (Socket socket = backend.accept()) {
            int id = receiveHead(socket.getInputStream());
            socket.getOutputStream()
                    .write(answer().request(id, false, ":status", "200")
                            .data(id, "fine", true)
                            .toArray());
            socket.shutdownOutput();
            receiveEnd(socket.getInputStream());
        }
    }

    /** Reads up to the first HEADERS, and returns their stream. */
    private static int receiveHead(InputStream in) throws IOException {
        byte[] preface = in.readNBytes(Http2Reader.PREFACE.length);
        assertEquals('P', preface[0]);
        while (true) {
            ByteBuffer head = ByteBuffer.wrap(in.readNBytes(Frames.HEAD));
            int lengthAndType = head.getInt();
            head.get();
            int id = head.getInt();
            in.readNBytes(lengthAndType >>> 8);
            if ((lengthAndType & 0xff) == Frames.HEADERS) {
                return id;
            }
        }
    }

    private static void receiveEnd(InputStream in) throws IOException {
        try {
            in.readAllBytes();
        } catch (SocketException reset) {
            // the connection has ended too
        }
    }

    /** After GOAWAY the request was not processed, whatever its method. */
    @Test
    void repeatsWhatTheBackendHasNotServed() throws Exception {
        try (RawClient client = RawClient.connect(proxy.port())) {
            client.send(POST);
            try (Socket socket = backend.accept()) {
                receiveHead(socket.getInputStream());
                socket.getOutputStream()
                        .write(answer().hex(Frames.GOAWAY, 0, 0, "00000000 00000000")
                                .toArray());
                serve();
            }
            assertTrue(rest(client).contains("fine"));
        }
    }

    /** As nginx does after a number of requests on a connection: the body was sent already, and is sent again. */
    @Test
    void repeatsWhatTheBackendHasNotServedWithItsBody() throws Exception {
        try (RawClient client = RawClient.connect(proxy.port())) {
            client.send(POST.replace("Length: 0", "Length: 3") + "abc");
            try (Socket first = backend.accept()) {
                assertEquals("abc", receiveData(first.getInputStream()));
                first.getOutputStream()
                        .write(answer().hex(Frames.GOAWAY, 0, 0, "00000000 00000000")
                                .toArray());
                try (Socket second = backend.accept()) {
                    assertEquals("abc", receiveData(second.getInputStream()));
                    second.getOutputStream().write(head(true, ":status", "200").toArray());
                    assertTrue(rest(client).startsWith("HTTP/1.1 200 "));
                }
            }
        }
    }

    /** Servers end connections on which a client resets many streams, with all other requests on them. */
    @Test
    void leavesAConnectionOnWhichManyRequestsWereGivenUp() throws Exception {
        RawClient given = RawClient.connect(proxy.port()).send(POST);
        try (Socket first = backend.accept()) {
            first.getOutputStream().write(answer().toArray());
            InputStream in = first.getInputStream();
            receiveHead(in);
            for (int i = 1; i < 100; i++) {
                given.reset();
                receive(in, Frames.RST_STREAM);
                given = RawClient.connect(proxy.port()).send(POST);
                receive(in, Frames.HEADERS);
            }
            given.reset();
            receive(in, Frames.GOAWAY);
            try (RawClient client = RawClient.connect(proxy.port())) {
                client.send(POST);
                serve();
                assertTrue(rest(client).contains("fine"));
            }
        }
    }

    /** Reads up to a frame of this type. */
    private static void receive(InputStream in, int type) throws IOException {
        int lengthAndType;
        do {
            ByteBuffer head = ByteBuffer.wrap(in.readNBytes(Frames.HEAD));
            lengthAndType = head.getInt();
            in.readNBytes(lengthAndType >>> 8);
        } while ((lengthAndType & 0xff) != type);
    }

    /** The payload of the first DATA frame on a connection. */
    private static String receiveData(InputStream in) throws IOException {
        receiveHead(in);
        while (true) {
            ByteBuffer head = ByteBuffer.wrap(in.readNBytes(Frames.HEAD));
            int lengthAndType = head.getInt();
            byte[] payload = in.readNBytes(lengthAndType >>> 8);
            if ((lengthAndType & 0xff) == Frames.DATA) {
                return new String(payload, StandardCharsets.US_ASCII);
            }
        }
    }

    /** The backend rejects every attempt: the proxy gives up. */
    @Test
    void answers503ForABackendThatRefuses() throws Exception {
        try (RawClient client = RawClient.connect(proxy.port())) {
            client.send(POST);
            try (Socket socket = backend.accept()) {
                receiveHead(socket.getInputStream());
                socket.getOutputStream()
                        .write(answer().hex(Frames.RST_STREAM, 0, 1, "00000007")
                                .hex(Frames.SETTINGS, 0, 0, "")
                                .toArray());
                ByteBuffer seen = ByteBuffer.allocate(Frames.HEAD);
                do {
                    seen = ByteBuffer.wrap(socket.getInputStream().readNBytes(Frames.HEAD));
                    socket.getInputStream().readNBytes(seen.getInt(0) >>> 8);
                } while ((seen.getInt(0) & 0xff) != Frames.HEADERS);
                socket.getOutputStream()
                        .write(new Wire()
                                .hex(Frames.RST_STREAM, 0, 3, "00000007")
                                .toArray());
                assertTrue(rest(client).startsWith("HTTP/1.1 503 "));
            }
        }
    }
}
