package io.millrace.connector.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.client.SessionListener;
import io.millrace.http.Headers;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.settings.Settings;
import io.millrace.testkit.AjpPacket;
import io.millrace.testkit.ClientTranscript;
import io.millrace.testkit.ScriptedConnection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The AJP client, over a scripted connection. It … */
final class AjpClientTest implements SessionListener {

    private static final Duration RESPONSE = Duration.ofSeconds(60);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    private static final Duration PING = Duration.ofSeconds(3);
    private static final String NO_BODY = "[]";

    private final ScriptedConnection connection = new ScriptedConnection();
    private final List<String> events = new ArrayList<>();
    private final ClientTranscript transcript = new ClientTranscript();
    private final List<String> pieces = new ArrayList<>();
    private long now;
    private final ClientSession session = new AjpClient(
                    Settings.DEFAULTS.with(AjpOptions.SECRET, "s3cret"), RESPONSE, KEEP_ALIVE, () -> now)
            .open(connection, this);

    @Override
    public void onIdle(ClientSession idle, @Nullable ConnectionInfo client) {
        events.add("idle");
    }

    @Override
    public void onClosed(ClientSession closed) {
        events.add("closed");
    }

    @AfterEach
    void holdsNothing() {
        connection.breakOff();
        assertEquals(0, connection.channel().buffers().outstanding(), "chunks left");
    }

    private static ServerScript server() {
        return new ServerScript();
    }

    private static ClientRequest request(String method, long length, String... fields) {
        Headers headers = new Headers().add("Host", "shop:81");
        for (String field : fields) {
            headers.add(field, "1");
        }
        return new ClientRequest(method, "/a?b", headers, length, null);
    }

    private ClientStream start(ClientRequest request) {
        ClientStream stream = session.start(request, transcript);
        assertNotNull(stream);
        return stream;
    }

    private ClientStream post(long length) {
        ClientStream stream = start(request("POST", length));
        connection.takeSent();
        return stream;
    }

    private void receive(ServerScript script) {
        connection.receive(script.bytes());
    }

    /** The body packets that were sent since the last call: {@code [data][]}. */
    private String bodies() {
        StringBuilder names = new StringBuilder();
        ByteBuffer in = ByteBuffer.wrap(connection.takeSent().getBytes(StandardCharsets.ISO_8859_1));
        while (in.hasRemaining()) {
            assertEquals(Codes.TO_SERVER, in.getShort());
            int size = in.getShort();
            byte[] data = new byte[Math.max(0, size - 2)];
            assertEquals(data.length, size == 0 ? 0 : in.getShort());
            in.get(data);
            names.append('[')
                    .append(new String(data, StandardCharsets.ISO_8859_1))
                    .append(']');
        }
        return names.toString();
    }

    private void send(ClientStream stream, String data, boolean last) {
        ByteBuffer piece = ByteBuffer.wrap(data.getBytes(StandardCharsets.ISO_8859_1));
        stream.send(piece, last, failure -> pieces.add(failure == null ? "sent" : "failed"));
    }

    @Test
    void sendsARequestAndKeepsTheConnection() {
        for (int i = 0; i < 3; i++) {
            ClientTranscript answer = new ClientTranscript();
            assertNotNull(session.start(request("GET", 0), answer));
            receive(server().head(200, "Content-Length: 5", "X-A: b")
                    .body("he")
                    .body("llo")
                    .end(true));
            assertEquals("200[5](hello)END", answer.text());
            assertTrue(session.isIdle());
        }
        assertEquals(List.of("idle", "idle", "idle"), events);
        assertEquals(KEEP_ALIVE, connection.timeout());
    }

    static List<byte[]> responses() {
        return List.of(
                server().head(200).body("a").flush().body("b").end(true).bytes(),
                server().head(200).flush().flush().end(true).bytes(),
                server().head(204).end(true).bytes(),
                server().head(204, "Content-Length: 1").end(true).bytes(),
                server().head(404, "Content-Length: 0").end(true).bytes(),
                server().head(200, "Set-Cookie: a", "set-cookie: b", "X: y")
                        .body("abc")
                        .end(true)
                        .bytes(),
                server().head(200).raw(3, 0, 1, 'a').end(true).bytes());
    }

    @ParameterizedTest
    @MethodSource("responses")
    void readsAResponseHoweverItIsCutUp(byte[] bytes) {
        start(request("GET", 0));
        connection.receive(bytes);
        assertTrue(session.isIdle());
        AjpClientTest dripped = new AjpClientTest();
        dripped.start(request("GET", 0));
        for (byte octet : bytes) {
            assertFalse(dripped.session.isIdle());
            dripped.connection.receive(new byte[] {octet});
        }
        assertEquals(transcript.text(), dripped.transcript.text());
        assertTrue(dripped.session.isIdle());
    }

    @Test
    void knowsTheLastDataForTheLast() {
        ClientStream stream = start(request("GET", 0));
        receive(server().head(200));
        receive(server().body("abc").end(true));
        assertTrue(stream.isRead());
        assertEquals("200[-1](abc)END", transcript.text());
    }

    @Test
    void closesAConnectionThatTheServerDoesNotReuse() {
        start(request("GET", 0));
        receive(server().head(200).body("a").end(false));
        assertEquals("200[-1](a)END", transcript.text());
        assertTrue(connection.isClosed());
    }

    @Test
    void takesNoBodyWhereThereIsNone() {
        start(request("HEAD", 0));
        receive(server().head(200, "Content-Length: 5").flush().end(true));
        assertEquals("200[5]END", transcript.text());
        assertTrue(session.isIdle());
    }

    static List<byte[]> malformed() {
        return List.of(
                "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1),
                new byte[] {0x12, 0x34, 0, 1, 9},
                new byte[] {'A', 'B', 0, 0},
                new byte[] {'A', 'B', (byte) 0xff, (byte) 0xff},
                server().raw(1).bytes(),
                server().raw(255).bytes(),
                server().pong().bytes(),
                server().body("a").bytes(),
                server().flush().bytes(),
                server().end(true).bytes(),
                server().head(100).bytes(),
                server().head(199).bytes(),
                server().head(0).bytes(),
                server().head(200, "Content-Length: x").bytes(),
                server().head(200, "Content-Length: -1").bytes(),
                server().head(200, "Content-Length: 1", "Content-Length: 1").bytes(),
                server().raw(4).bytes(),
                server().raw(4, 0, 200, 0, 0, 0, 0, 1).bytes(),
                server().raw(4, 0, 200, 0, 0, 0, 0, 0, 0).bytes(),
                server().raw(4, 0, 200, 0, 9, 0, 0, 0).bytes(),
                server().raw(4, 0, 200, 0, 0, 0, 0, 1, 0xa0, 0x0c, 0, 0, 0).bytes(),
                server().raw(4, 0, 200, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0).bytes(),
                server().raw(4, 0, 200, 0, 0, 0, 0, 1, 0, 1, 'X', 0, 0, 1, 10, 0)
                        .bytes(),
                server().raw(4, 0, 200, 0, 0, 0, 0xff, 0xff).bytes(),
                server().raw(6, 0, 1, 0).bytes(),
                server().raw(6, 0).bytes(),
                server().ask(0).bytes());
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void refusesWhatIsNoHead(byte[] bytes) {
        start(request("GET", 0));
        connection.receive(bytes);
        assertEquals("MALFORMED/YES", transcript.text());
        assertTrue(connection.isClosed());
    }

    static List<byte[]> malformedBodies() {
        return List.of(
                server().head(200).bytes(),
                server().body("too long").bytes(),
                server().body("ab").end(true).bytes(),
                server().body("abc").body("d").bytes(),
                server().raw(3, 0, 4, 'a').bytes(),
                server().raw(3, 0, 1, 'a', 1).bytes(),
                server().raw(3, 0, 1, 'a', 0, 0).bytes(),
                server().raw(3, 0).bytes(),
                server().raw(5).bytes(),
                server().raw(5, 1, 1).bytes(),
                server().pong().bytes());
    }

    @ParameterizedTest
    @MethodSource("malformedBodies")
    void cutsAResponseWhoseBodyIsNone(byte[] bytes) {
        start(request("GET", 0));
        receive(server().head(200, "Content-Length: 3"));
        connection.receive(bytes);
        String seen = transcript.text();
        assertTrue(seen.endsWith("CUT") || !seen.contains("END"), seen);
        connection.receiveEnd();
        assertTrue(transcript.text().endsWith("CUT"), transcript.text());
        assertTrue(connection.isClosed());
    }

    @Test
    void givesNobodyWhatFollowsAResponse() {
        start(request("GET", 0));
        receive(server().head(200).body("a").end(true).head(200).body("poison").end(true));
        assertEquals("200[-1](a)END", transcript.text());
        assertTrue(connection.isClosed());
    }

    @Test
    void cutsWhatTheServerBreaksOffAtAnyOctet() {
        byte[] whole = server().head(200).body("hello").end(true).bytes();
        for (int cut = 0; cut < whole.length; cut++) {
            AjpClientTest test = new AjpClientTest();
            test.start(request("GET", 0));
            test.connection.receive(Arrays.copyOf(whole, cut));
            test.connection.receiveEnd();
            String seen = test.transcript.text();
            String expected = cut == 0 ? "CLOSED/MAYBE" : seen.startsWith("200") ? "CUT" : "CLOSED/YES";
            assertTrue(seen.endsWith(expected), cut + ": " + seen);
            assertEquals(List.of("closed"), test.events);
            test.holdsNothing();
        }
    }

    @Test
    void sendsTheFirstPacketUnaskedAndEachOtherWhenItIsAskedFor() {
        ClientStream stream = post(9);
        send(stream, "abcdef", false);
        assertEquals("[abcdef]", bodies());
        assertEquals(List.of("sent"), pieces);
        send(stream, "ghi", true);
        assertEquals("", bodies());
        receive(server().ask(2));
        assertEquals("[gh]", bodies());
        receive(server().ask(8186));
        assertEquals("[i]", bodies());
        assertEquals(List.of("sent", "sent"), pieces);
        receive(server().ask(8186));
        assertEquals(NO_BODY, bodies());
        receive(server().head(200).end(true));
        assertTrue(session.isIdle());
    }

    @Test
    void cutsABodyIntoPackets() {
        ClientStream stream = post(20_000);
        send(stream, "x".repeat(20_000), true);
        assertEquals("[" + "x".repeat(8186) + "]", bodies());
        receive(server().ask(65_535));
        assertEquals("[" + "x".repeat(8186) + "]", bodies());
        receive(server().ask(8186));
        assertEquals("[" + "x".repeat(20_000 - 2 * 8186) + "]", bodies());
    }

    @Test
    void sendsABodyOfUnknownLengthWhenItIsAskedFor() {
        ClientStream stream = post(-1);
        send(stream, "abc", false);
        assertEquals("", bodies());
        receive(server().ask(10));
        assertEquals("[abc]", bodies());
        receive(server().ask(10));
        assertEquals("", bodies());
        send(stream, "", true);
        assertEquals(NO_BODY, bodies());
        assertEquals(List.of("sent", "sent"), pieces);
        receive(server().head(200).end(true));
        assertTrue(session.isIdle());
    }

    @Test
    void saysThatThereIsNoBody() {
        start(request("GET", 0));
        connection.takeSent();
        receive(server().ask(10));
        assertEquals(NO_BODY, bodies());
        receive(server().head(200).end(true));
        assertTrue(session.isIdle());
    }

    @Test
    void refusesToBeAskedTwice() {
        post(-1);
        receive(server().ask(10).ask(10));
        assertEquals("MALFORMED/YES", transcript.text());
        AjpClientTest behind = new AjpClientTest();
        behind.start(request("GET", 0));
        behind.receive(server().ask(10));
        behind.receive(server().ask(10));
        assertEquals("MALFORMED/YES", behind.transcript.text());
    }

    @Test
    void keepsAConnectionWhoseServerDoesNotWantTheRest() {
        ClientStream stream = post(9);
        send(stream, "abc", false);
        send(stream, "def", false);
        receive(server().head(413).end(true));
        assertEquals(List.of("sent", "failed"), pieces);
        assertTrue(session.isIdle());
        send(stream, "ghi", true);
        assertEquals(List.of("sent", "failed", "failed"), pieces);
        stream.abort(null);
        assertTrue(session.isIdle());
    }

    @Test
    void closesAConnectionWhoseServerStillWaitsForAPacket() {
        post(9);
        receive(server().head(401).end(true));
        assertEquals("401[-1]END", transcript.text());
        assertTrue(connection.isClosed());
    }

    @Test
    void keepsAConnectionWhoseResponseWasFasterThanTheNewsOfTheLastWrite() {
        ClientStream stream = post(3);
        connection.hold();
        send(stream, "abc", true);
        receive(server().head(200).end(true));
        assertEquals("200[-1]END", transcript.text());
        assertFalse(session.isIdle());
        stream.abort(null);
        connection.unhold();
        assertTrue(session.isIdle());
        assertEquals(List.of("sent"), pieces);
    }

    @Test
    void asksTheSenderForABodyThatWaitsFor100() {
        start(request("POST", 3, "Expect"));
        assertEquals("100 ", transcript.text());
        AjpClientTest unknown = new AjpClientTest();
        unknown.start(request("POST", -1, "Expect"));
        assertEquals("", unknown.transcript.text());
        unknown.receive(server().ask(5));
        assertEquals("100 ", unknown.transcript.text());
    }

    @Test
    void asksAConnectionThatWasIdleWhetherItWorks() {
        now = Duration.ofMillis(999).toNanos();
        start(request("GET", 0));
        receive(server().head(200).end(true));
        connection.takeSent();
        now += Duration.ofSeconds(1).toNanos();
        ClientTranscript second = new ClientTranscript();
        assertNotNull(session.start(request("GET", 0), second));
        assertEquals(new String(AjpPacket.ping(), StandardCharsets.ISO_8859_1), connection.takeSent());
        assertEquals(PING, connection.timeout());
        receive(server().pong());
        assertTrue(connection.takeSent().length() > 5);
        assertEquals(RESPONSE, connection.timeout());
        receive(server().head(200).body("a").end(true));
        assertEquals("200[-1](a)END", second.text());
    }

    @Test
    void waitsForTheNewsOfThePingBeforeItSendsTheRequest() {
        now = Duration.ofSeconds(2).toNanos();
        connection.hold();
        start(request("GET", 0));
        connection.takeSent();
        receive(server().pong());
        assertEquals("", connection.takeSent());
        connection.unhold();
        assertTrue(connection.takeSent().length() > 5);
    }

    @Test
    void hasSentNothingToAServerThatDoesNotAnswerThePing() {
        now = Duration.ofSeconds(2).toNanos();
        start(request("POST", 3));
        connection.idle();
        assertEquals("TIMED_OUT/NO", transcript.text());
        for (byte[] other :
                List.of(server().head(200).bytes(), server().raw(9, 9).bytes())) {
            AjpClientTest wrong = new AjpClientTest();
            wrong.now = now;
            wrong.start(request("GET", 0));
            wrong.connection.receive(other);
            assertEquals("MALFORMED/YES", wrong.transcript.text());
        }
        AjpClientTest ended = new AjpClientTest();
        ended.now = now;
        ended.start(request("GET", 0));
        ended.connection.receiveEnd();
        assertEquals("CLOSED/NO", ended.transcript.text());
    }

    @Test
    void waitsForTheServerAndNotForTheClient() {
        ClientStream stream = post(3);
        connection.idle();
        assertFalse(connection.isClosed());
        send(stream, "abc", true);
        connection.idle();
        assertEquals("TIMED_OUT/MAYBE", transcript.text());
        AjpClientTest unasked = new AjpClientTest();
        unasked.post(-1);
        unasked.connection.idle();
        assertEquals("TIMED_OUT/MAYBE", unasked.transcript.text());
    }

    @Test
    void tellsWhoHoldsAPieceThatItIsCut() {
        ClientStream stream = post(-1);
        send(stream, "abc", false);
        assertEquals(List.of(), pieces);
        stream.abort(null);
        assertEquals(List.of("failed"), pieces);
        assertTrue(connection.isClosed());
        assertEquals("ABORTED/MAYBE", transcript.text());
    }

    @Test
    void refusesWhatAjpCantSayAndKeepsTheConnection() {
        ClientRequest upgrade = new ClientRequest("GET", "/", new Headers().add("Host", "x"), 0, "websocket");
        ClientRequest large = new ClientRequest("GET", "/" + "a".repeat(8192), new Headers().add("Host", "x"), 0, null);
        for (ClientRequest request : List.of(upgrade, large)) {
            ClientTranscript refused = new ClientTranscript();
            ClientStream stream = session.start(request, refused);
            assertEquals("UNSUPPORTED/NO", refused.text());
            assertNotNull(stream);
            stream.abort(null);
            assertTrue(session.isIdle());
        }
        assertEquals(List.of("idle", "idle"), events);
        assertEquals("", connection.sent());
    }

    @Test
    void sendsNeitherMoreNorLessThanItAnnounced() {
        ClientStream stream = post(2);
        assertThrows(IllegalStateException.class, () -> stream.send(ByteBuffer.allocate(3), true, Completion.IGNORE));
        ClientStream other = new AjpClientTest().post(2);
        assertThrows(IllegalStateException.class, () -> other.send(ByteBuffer.allocate(1), true, Completion.IGNORE));
    }

    @Test
    void closesAnIdleConnectionThatSaysSomething() {
        receive(server().pong());
        assertTrue(connection.isClosed());
        assertNull(session.start(request("GET", 0), transcript));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void needsASecretUnlessItIsToldOtherwise(boolean required) {
        Settings none = Settings.DEFAULTS.with(AjpOptions.SECRET_REQUIRED, required);
        if (required) {
            String said = assertThrows(IllegalArgumentException.class, () -> new AjpClient(none, RESPONSE, KEEP_ALIVE))
                    .getMessage();
            assertTrue(said != null && said.contains("set secret"), said);
        } else {
            assertNotNull(new AjpClient(none, RESPONSE, KEEP_ALIVE));
        }
    }
}
