package io.millrace.testkit;

import static io.millrace.testkit.WebSocketContractClient.BINARY;
import static io.millrace.testkit.WebSocketContractClient.CLOSE;
import static io.millrace.testkit.WebSocketContractClient.CONTINUATION;
import static io.millrace.testkit.WebSocketContractClient.FIN;
import static io.millrace.testkit.WebSocketContractClient.PING;
import static io.millrace.testkit.WebSocketContractClient.PONG;
import static io.millrace.testkit.WebSocketContractClient.RSV1;
import static io.millrace.testkit.WebSocketContractClient.TEXT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.ExchangeDispatcher;
import io.millrace.exchange.ExchangeOptions;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.settings.Settings;
import io.millrace.testkit.WebSocketContractClient.Frame;
import io.millrace.tls.TlsImplementation;
import io.millrace.websocket.WebSocketOptions;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSocket (RFC 6455, RFC 7692) on a transport. On a connection it … */
@Timeout(120)
public abstract class WebSocketContract {

    private static final int MOST = 200_000;

    /** Soon full, also where each octet is a write of its own: those of the system have megabytes. */
    private static final int SMALL_WINDOW = 4096;

    private static final int SMALL_SEND_BUFFER = 16 * 1024;

    private static final WebSocketOptions OPTIONS = WebSocketOptions.DEFAULT
            .withMaxTextSize(MOST)
            .withMaxBinarySize(MOST)
            .withMaxFrames(1_000)
            .withMaxControlFrames(1_000)
            .withCloseTimeout(Duration.ofSeconds(60))
            .withSubprotocols(java.util.List.of("chat", "superchat"));

    private static final String TIMERS = "test-websocket";

    private final Timers timers = new Timers(TIMERS);
    private @Nullable WorkerPool workers;
    private @Nullable TransportHarness harness;
    private @Nullable TestTls tls;
    private @Nullable Transport transport;
    final WebSocketContractServer server = new WebSocketContractServer();

    /** The transport. */
    protected abstract TransportProvider provider();

    /** Whose TLS; null: none. */
    protected @Nullable TlsImplementation implementation() {
        return null;
    }

    /** What HTTP/1.1 sees of a connection. */
    protected Connection layer(Connection connection) {
        return connection;
    }

    private TransportHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("no test is running");
        }
        return harness;
    }

    @BeforeEach
    void open() throws IOException {
        TlsImplementation secured = implementation();
        tls = secured == null ? null : TestTls.by(secured);
        harness = tls == null ? new TransportHarness(provider()) : TransportHarness.secured(provider(), tls);
        harness.with(options -> options.with(TransportOptions.SEND_BUFFER, SMALL_SEND_BUFFER));
        WorkerPool pool = new WorkerPool("test-workers", 20, 0);
        workers = pool;
        serve(pool, OPTIONS);
    }

    private void serve(WorkerPool pool, WebSocketOptions options) throws IOException {
        ExchangeDispatcher dispatcher =
                new ExchangeDispatcher(server.handler(options), pool, timers, ExchangeOptions.defaults());
        Http1Protocol protocol = new Http1Protocol(Settings.DEFAULTS, "http");
        transport = harness().accept(connection -> {
            Connection seen = layer(connection);
            ConnectionHandler handler = protocol.open(seen, null, dispatcher);
            seen.install(handler);
            handler.onReadable();
        });
    }

    @AfterEach
    void close() throws Exception {
        harness().close();
        if (workers != null) {
            workers.close();
        }
        timers.close();
    }

    private WebSocketContractClient connect() throws Exception {
        return connect(0);
    }

    private WebSocketContractClient connect(int receiveBuffer) throws Exception {
        SocketLink plain =
                new SocketLink(harness().connectPlain(receiveBuffer), harness().buffers());
        return new WebSocketContractClient(tls == null ? plain : new TlsLink(plain, tls.clientEngine()));
    }

    private WebSocketContractClient open(String path, String... fields) throws Exception {
        return open(connect(), path, fields);
    }

    private static WebSocketContractClient open(WebSocketContractClient client, String path, String... fields)
            throws Exception {
        String head = client.ask(path, fields);
        assertTrue(head.startsWith("HTTP/1.1 101 "), head);
        return client;
    }

    private static void end(WebSocketContractClient client) throws Exception {
        client.close(1000);
        Frame close = client.receive();
        assertEquals(FIN | CLOSE, close.flags());
        assertEquals(1000, close.code());
        client.awaitEnd();
        client.checkNothingHeld();
    }

    private static void assertCloses(int code, WebSocketContractClient client) throws Exception {
        Frame close = client.receive();
        assertEquals(FIN | CLOSE, close.flags(), close::text);
        assertEquals(code, close.code(), close::text);
        client.awaitEnd();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    // ---- the handshake

    @Test
    void answersTheHandshakeOfTheRfc() throws Exception {
        WebSocketContractClient client = connect();
        String head = client.ask("/echo");
        assertTrue(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), head);
        assertTrue(head.contains("Upgrade: websocket\r\n"), head);
        assertTrue(head.contains("Connection: Upgrade\r\n"), head);
        assertFalse(head.contains("Sec-WebSocket-Extensions"), head);
        assertFalse(head.contains("Sec-WebSocket-Protocol"), head);
        end(client);
    }

    @Test
    void agreesUponTheFirstSubprotocolThatItKnows() throws Exception {
        WebSocketContractClient client = connect();
        String head = client.ask("/echo", "Sec-WebSocket-Protocol: soap, superchat", "Sec-WebSocket-Protocol: chat");
        assertTrue(head.contains("Sec-WebSocket-Protocol: superchat\r\n"), head);
        end(client);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200 no: Upgrade: websocket | Upgrade: h2c | 426
            Sec-WebSocket-Version: 13 | Sec-WebSocket-Version: 8 | 426
            Sec-WebSocket-Version: 13 | X: y | 426
            Connection: keep-alive, Upgrade | Connection: keep-alive | 400
            dGhlIHNhbXBsZSBub25jZQ== | dGhlIHNhbXBsZQ== | 400
            dGhlIHNhbXBsZSBub25jZQ== | not base64 | 400
            GET / | POST / | 400
            Upgrade: websocket | Upgrade: h2c | 426
            Sec-WebSocket-Version: 13 | Sec-WebSocket-Version: 13, 13 | 426
            X-Origin: | Origin: http://elsewhere.example | 403
            X-Origin: | Sec-WebSocket-Extensions: a;;b | 400
            X-Origin: | Sec-WebSocket-Protocol: a b | 400
            """)
    void refuses(String correct, String wrong, int status) throws Exception {
        WebSocketContractClient client = connect();
        String request = """
                GET /echo HTTP/1.1
                Host: localhost
                Upgrade: websocket
                Connection: keep-alive, Upgrade
                Sec-WebSocket-Version: 13
                X-Origin:
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
                Content-Length: 0

                """.replace("\n", "\r\n");
        String found = correct.startsWith("200 no: ") ? correct.substring(8) : correct;
        String head = client.request(request.replace(found, wrong));
        assertTrue(head.startsWith("HTTP/1.1 " + status + " "), head);
        assertEquals(status == 426, head.contains("Sec-WebSocket-Version: 13\r\n"), head);
    }

    // ---- messages

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 128, 4_096, 65_535, 65_536, 65_537, MOST})
    void echoesMessagesOfAnyLength(int length) throws Exception {
        WebSocketContractClient client = open("/echo");
        client.send(FIN | BINARY, random(length));
        Frame frame = client.receive();
        assertEquals(FIN | BINARY, frame.flags());
        assertArrayEquals(random(length), frame.payload());
        String text = "ä€😀z".repeat(length / 10);
        client.text(text);
        frame = client.receive();
        assertEquals(FIN | TEXT, frame.flags());
        assertEquals(text, frame.text());
        end(client);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/echo", "/quick", "/parts"})
    void echoesWhatComesInOneWrite(String path) throws Exception {
        WebSocketContractClient client = open(path);
        byte[] all = new byte[0];
        for (int i = 0; i < 1_000; i++) {
            byte[] frame = client.frame(FIN | TEXT, ("message " + i).getBytes(StandardCharsets.UTF_8));
            int end = all.length;
            all = Arrays.copyOf(all, end + frame.length);
            System.arraycopy(frame, 0, all, end, frame.length);
        }
        client.raw(all);
        for (int i = 0; i < 1_000; i++) {
            assertEquals("message " + i, message(client));
        }
        end(client);
    }

    private static String message(WebSocketContractClient client) throws IOException {
        StringBuilder all = new StringBuilder();
        Frame frame;
        do {
            frame = client.receive();
            all.append(frame.text());
        } while (!frame.isFinal());
        return all.toString();
    }

    @Test
    void readsFramesThatComeOctetByOctet() throws Exception {
        WebSocketContractClient client = open("/echo");
        byte[] frame =
                client.frame(FIN | TEXT, "octet by octet: ä€😀".repeat(10).getBytes(StandardCharsets.UTF_8));
        for (byte octet : frame) {
            client.raw(octet);
        }
        assertEquals("octet by octet: ä€😀".repeat(10), client.receive().text());
        end(client);
    }

    @Test
    void putsFragmentsTogetherAndAnswersPingsBetweenThem() throws Exception {
        WebSocketContractClient client = open("/echo");
        client.send(TEXT, new byte[] {'a', (byte) 0xc3});
        client.send(FIN | PING, new byte[] {'p'});
        Frame pong = client.receive();
        assertEquals(FIN | PONG, pong.flags());
        assertEquals("p", pong.text());
        client.send(CONTINUATION, new byte[0]);
        client.send(FIN | CONTINUATION, new byte[] {(byte) 0xa4, 'b'});
        assertEquals("aäb", client.receive().text());
        end(client);
    }

    @Test
    void givesAndSendsPartsOfMessages() throws Exception {
        WebSocketContractClient client = open("/parts");
        byte[] text = "ä€😀".repeat(50_000).getBytes(StandardCharsets.UTF_8);
        client.send(TEXT, Arrays.copyOf(text, 100_001));
        client.send(FIN | CONTINUATION, Arrays.copyOfRange(text, 100_001, text.length));
        StringBuilder all = new StringBuilder();
        Frame frame = client.receive();
        assertEquals(TEXT, frame.opcode());
        all.append(frame.text());
        while (!frame.isFinal()) {
            frame = client.receive();
            assertEquals(CONTINUATION, frame.opcode());
            all.append(frame.text());
        }
        assertEquals("ä€😀".repeat(50_000), all.toString());
        client.send(FIN | BINARY, new byte[0]);
        assertEquals(FIN | BINARY, client.receive().flags());
        end(client);
    }

    @Test
    void isOneOfManyThatSendAtTheSameTime() throws Exception {
        WebSocketContractClient client = open("/threads");
        client.text("4 1000");
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < 4 * 1000; i++) {
            String[] words = client.receive().text().split(" ", -1);
            assertEquals(Integer.parseInt(words[1]), seen.merge(words[0], 1, Integer::sum) - 1);
        }
        assertEquals(4, seen.size());
        end(client);
    }

    @Test
    void letsControlFramesOvertakeButNoOtherMessage() throws Exception {
        WebSocketContractClient client = open("/between");
        client.text("go");
        assertEquals("first", client.receive().text());
        assertEquals(FIN | PING, client.receive().flags());
        Frame last = client.receive();
        assertEquals(FIN | CONTINUATION, last.flags());
        assertEquals("last", last.text());
        assertEquals("other", client.receive().text());
        end(client);
    }

    @Test
    void holdsMessagesBackWhileCorked() throws Exception {
        WebSocketContractClient client = open("/corked");
        client.text("go");
        assertEquals(FIN | PING, client.receive().flags());
        for (int i = 0; i < 10; i++) {
            assertEquals("corked " + i, client.receive().text());
        }
        end(client);
    }

    @Test
    void readsNoMoreThanItsListenerTakes() throws Exception {
        WebSocketContractClient client = open("/held");
        client.text("hold");
        assertEquals("held", client.receive().text());
        byte[] message = random(60_000);
        for (int i = 0; i < 3; i++) {
            client.send(FIN | BINARY, message);
        }
        server.release();
        for (int i = 0; i < 3; i++) {
            assertArrayEquals(message, client.receive().payload());
        }
        end(client);
    }

    @Test
    void answersEachOfAFewPings() throws Exception {
        WebSocketContractClient client = open("/echo");
        ByteBuffer pings = ByteBuffer.allocate(200);
        for (int i = 0; i < 10; i++) {
            pings.put(client.frame(FIN | PING, new byte[] {(byte) ('0' + i)}));
        }
        client.raw(Arrays.copyOf(pings.array(), pings.position()));
        for (int i = 0; i < 10; i++) {
            assertEquals(String.valueOf(i), client.receive().text());
        }
    }

    @Test
    void answersPingsWhileItsListenerIsBusy() throws Exception {
        if (server.isBlocking(provider().name())) {
            return; // there the connection's own thread makes the listener's calls
        }
        WebSocketContractClient client = open("/held");
        client.text("hold");
        assertEquals("held", client.receive().text());
        client.send(FIN | PING, new byte[] {'x'});
        assertEquals("x", client.receive().text());
        server.release();
        end(client);
    }

    @Test
    void pausesAndResumes() throws Exception {
        WebSocketContractClient client = open("/paused");
        for (int i = 0; i < 100; i++) {
            client.text("message " + i);
        }
        server.awaitAndResume();
        for (int i = 0; i < 100; i++) {
            assertEquals("message " + i, client.receive().text());
        }
        end(client);
    }

    // ---- permessage-deflate

    @ParameterizedTest
    @ValueSource(strings = {"/echo", "/takeover"})
    void compresses(String path) throws Exception {
        WebSocketContractClient client = connect();
        String head = client.ask(path, "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits");
        assertTrue(head.contains("Sec-WebSocket-Extensions: permessage-deflate"), head);
        assertEquals(path.equals("/echo"), head.contains("no_context_takeover"), head);
        String text = "compressible ä ".repeat(1_000);
        client.send(FIN | RSV1 | TEXT, WebSocketContractClient.deflated(text.getBytes(StandardCharsets.UTF_8)));
        Frame frame = client.receive();
        assertEquals(FIN | RSV1 | TEXT, frame.flags());
        assertEquals(text, new String(frame.inflated(), StandardCharsets.UTF_8));
        client.text("short");
        frame = client.receive();
        assertEquals(FIN | TEXT, frame.flags());
        assertEquals("short", frame.text());
        end(client);
    }

    @Test
    void decompressesFragmentsAndFinalBlocks() throws Exception {
        WebSocketContractClient client = open("/echo", "Sec-WebSocket-Extensions: permessage-deflate");
        byte[] hello = {(byte) 0xf2, 0x48, (byte) 0xcd, (byte) 0xc9, (byte) 0xc9, 0x07, 0x00};
        client.send(RSV1 | TEXT, Arrays.copyOf(hello, 3));
        client.send(FIN | CONTINUATION, Arrays.copyOfRange(hello, 3, 7));
        assertEquals("Hello", client.receive().text());
        client.send(FIN | RSV1 | TEXT, new byte[] {
            (byte) 0xf3, 0x48, (byte) 0xcd, (byte) 0xc9, (byte) 0xc9, 0x07, 0x00, 0x00
        }); // RFC 7692, 7.2.3.4
        assertEquals("Hello", client.receive().text());
        end(client);
    }

    @Test
    void stopsAtTheLimitOfWhatIsDecompressed() throws Exception {
        WebSocketContractClient client = open("/echo", "Sec-WebSocket-Extensions: permessage-deflate");
        client.send(FIN | RSV1 | BINARY, WebSocketContractClient.deflated(new byte[20_000_000]));
        assertCloses(1009, client);
    }

    @Test
    void refusesWhatCannotBeDecompressed() throws Exception {
        WebSocketContractClient client = open("/echo", "Sec-WebSocket-Extensions: permessage-deflate");
        client.send(FIN | RSV1 | BINARY, new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff});
        assertCloses(1007, client);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "permessage-deflate; server_max_window_bits=10",
                "permessage-deflate; unknown",
                "permessage-deflate; server_no_context_takeover=1",
                "x-other"
            })
    void declinesOffersThatItCannotKeep(String offer) throws Exception {
        WebSocketContractClient client = connect();
        String head = client.ask("/echo", "Sec-WebSocket-Extensions: " + offer);
        assertFalse(head.contains("Sec-WebSocket-Extensions"), head);
        end(client);
    }

    @Test
    void sendsPreparedMessagesWithAndWithoutCompression() throws Exception {
        WebSocketContractClient plain = open("/prepared");
        WebSocketContractClient deflating = open("/prepared", "Sec-WebSocket-Extensions: permessage-deflate");
        WebSocketContractClient takeover = open("/takeover", "Sec-WebSocket-Extensions: permessage-deflate");
        plain.text("prepared");
        deflating.text("prepared");
        takeover.text("prepared");
        assertEquals("prepared ".repeat(100), plain.receive().text());
        assertInflates("prepared ".repeat(100), deflating);
        assertInflates("prepared ".repeat(100), takeover);
        end(plain);
        end(deflating);
        end(takeover);
    }

    private static void assertInflates(String expected, WebSocketContractClient client)
            throws IOException, DataFormatException {
        Frame frame = client.receive();
        assertEquals(FIN | RSV1 | TEXT, frame.flags());
        assertEquals(expected, new String(frame.inflated(), StandardCharsets.UTF_8));
    }

    // ---- what is wrong

    @Test
    void answersWhatCameBeforeAViolation() throws Exception {
        WebSocketContractClient client = open("/echo");
        byte[] message = client.frame(FIN | TEXT, "before".getBytes(StandardCharsets.UTF_8));
        byte[] reserved = client.frame(FIN | 0xf, new byte[0]);
        client.raw(ByteBuffer.allocate(message.length + reserved.length)
                .put(message)
                .put(reserved)
                .array());
        assertEquals("before", client.receive().text());
        assertEquals(1002, client.receive().code());
        client.awaitEnd();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            1002, 81 05 68 65 6c 6c 6f
            1002, c1 80 00 00 00 00
            1002, a1 80 00 00 00 00
            1002, 91 80 00 00 00 00
            1002, 83 80 00 00 00 00
            1002, 8b 80 00 00 00 00
            1002, 8f
            1002, 80 80 00 00 00 00
            1002, 00 80 00 00 00 00
            1002, 01 80 00 00 00 00 81 80 00 00 00 00
            1002, 09 80 00 00 00 00
            1002, 89 fe 00 7e
            1002, 88 81 00 00 00 00 00
            1002, 88 82 00 00 00 00 03 ed
            1002, 88 82 00 00 00 00 03 ee
            1002, 88 82 00 00 00 00 03 e7
            1002, 88 82 00 00 00 00 13 88
            1002, 88 82 00 00 00 00 00 00
            1007, 88 83 00 00 00 00 03 e8 ff
            1002, 81 fe 00 7d
            1002, 81 ff 00 00 00 00 00 00 ff ff
            1002, 81 ff 80 00 00 00 00 00 00 00
            1009, 81 ff 00 00 00 00 00 03 0d 41 00 00 00 00
            1007, 81 85 00 00 00 00 c0
            1007, 81 85 00 00 00 00 ed a0
            1007, 81 85 00 00 00 00 f4 90
            1007, 81 85 00 00 00 00 61 80
            1007, 01 81 00 00 00 00 c3 80 81 00 00 00 00 61
            1007, 81 81 00 00 00 00 c3
            """)
    void endsWith(int code, String octets) throws Exception {
        WebSocketContractClient client = open("/echo");
        for (String octet : octets.strip().split(" ", -1)) {
            client.raw((byte) Integer.parseInt(octet, 16));
        }
        assertCloses(code, client);
        assertEquals(code, server.closed().code());
        client.checkNothingHeld();
    }

    @Test
    void endsMessagesOfTooManyFrames() throws Exception {
        WebSocketContractClient client = open("/echo");
        client.send(TEXT, new byte[0]);
        byte[] empty = client.frame(CONTINUATION, new byte[0]);
        byte[] all = new byte[1_000 * empty.length];
        for (int i = 0; i < 1_000; i++) {
            System.arraycopy(empty, 0, all, i * empty.length, empty.length);
        }
        client.raw(all);
        assertCloses(1008, client);
    }

    @Test
    void endsForALimitOfWholeMessagesOverManyFrames() throws Exception {
        WebSocketContractClient client = open("/echo");
        client.send(BINARY, new byte[MOST]);
        client.send(FIN | CONTINUATION, new byte[1]);
        assertCloses(1009, client);
    }

    // ---- the end

    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1003, 1007, 1011, 1012, 1014, 3000, 3999, 4000, 4999})
    void answersACloseFrameWithItsCode(int code) throws Exception {
        WebSocketContractClient client = open("/echo");
        client.close(code);
        assertCloses(code, client);
        assertEquals(code, server.closed().code());
        client.checkNothingHeld();
    }

    @Test
    void answersACloseFrameWithoutCode() throws Exception {
        WebSocketContractClient client = open("/echo");
        client.send(FIN | CLOSE, new byte[0]);
        assertCloses(1005, client);
        assertEquals(1005, server.closed().code());
    }

    @Test
    void closesAndWaitsForTheAnswer() throws Exception {
        WebSocketContractClient client = open("/close");
        client.text("go");
        assertEquals("bye", client.receive().text());
        Frame close = client.receive();
        assertEquals(4321, close.code());
        client.text("still under way");
        client.close(4321);
        client.awaitEnd();
        assertEquals(4321, server.closed().code());
    }

    @Test
    void closesWhenItsListenerThrows() throws Exception {
        WebSocketContractClient client = open("/throw");
        client.text("go");
        assertEquals(1011, client.receive().code());
        client.close(1011);
        client.awaitEnd();
        assertEquals("thrown by the test", server.error().getMessage());
        assertEquals(1011, server.closed().code());
    }

    @Test
    void reportsThatThePeerIsGone() throws Exception {
        WebSocketContractClient client = open("/echo");
        client.text("x");
        client.receive();
        client.breakOff();
        assertEquals(1006, server.closed().code());
        assertTrue(server.error() instanceof IOException);
        client.checkNothingHeld();
    }

    @Test
    void reportsAnEndWithoutCloseFrame() throws Exception {
        WebSocketContractClient client = open("/echo");
        client.send(TEXT, new byte[] {'x'});
        client.finish();
        assertEquals(1006, server.closed().code());
        client.awaitEnd();
    }

    @Test
    void goesAwayWhenTheServerStops() throws Exception {
        WebSocketContractClient client = open("/echo");
        client.text("x");
        client.receive();
        var stopped = java.util.Objects.requireNonNull(transport).stop(Duration.ofSeconds(60));
        assertEquals(1001, client.receive().code());
        client.close(1001);
        client.awaitEnd();
        Deadline.await(stopped);
        assertEquals(1001, server.closed().code());
    }

    @Test
    void closesWhenNothingWasSentOrReceived() throws Exception {
        WebSocketContractClient client = open("/idle");
        assertEquals(1001, client.receive().code());
        client.close(1001);
        client.awaitEnd();
    }

    @Test
    void pingsAPeerThatSaysNothingAndCutsIt() throws Exception {
        WebSocketContractClient client = open("/pinging");
        Frame ping = client.receive();
        assertEquals(FIN | PING, ping.flags());
        client.send(FIN | PONG, ping.payload());
        assertEquals(FIN | PING, client.receive().flags());
        client.awaitEnd();
        assertEquals(1006, server.closed().code());
    }

    @Test
    void cutsAPeerThatDoesNotAnswerItsCloseFrame() throws Exception {
        WebSocketContractClient client = open("/unanswered");
        client.text("go");
        assertEquals(1000, client.receive().code());
        client.awaitEnd();
        assertEquals(1000, server.closed().code());
        assertFalse(server.closedBy().startsWith(TIMERS), "a listener may block, and the timers must not");
    }

    @Test
    void cutsAPeerThatDoesNotRead() throws Exception {
        WebSocketContractClient client = open(connect(SMALL_WINDOW), "/flood");
        client.text("go");
        assertEquals(1006, server.closed().code());
        boolean waits = server.isBlocking(provider().name());
        assertTrue(waits || server.refused() > 0, "sends were refused before");
        client.breakOff();
        client.checkNothingHeld();
    }

    /** Both ends close at any moment, with messages under way: it ends each time, once, and nothing is held. */
    @Test
    void survivesClosesFromBothEnds() throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            WebSocketContractClient client = open("/racing");
            client.text("go");
            if (round % 3 == 0) {
                client.close(1000);
            } else if (round % 3 == 1) {
                client.breakOff();
            }
            drainUntilClosed(client, round % 3 == 2);
            server.closed();
            assertFalse(server.hasClosedAgain());
        }
    }

    private static void drainUntilClosed(WebSocketContractClient client, boolean answers) {
        try {
            while (true) {
                if (client.receive().opcode() == CLOSE && answers) {
                    client.close(1000);
                }
            }
        } catch (IOException | RuntimeException ended) {
            // by the server's end, or the client's
        }
    }
}
