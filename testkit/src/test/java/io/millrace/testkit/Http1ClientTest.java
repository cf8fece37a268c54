package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientException;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.client.SessionListener;
import io.millrace.http.Headers;
import io.millrace.http1.Http1Client;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.protocol.InterimRate;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.1 as a client, over a connection that does what the test says. A line feed stands for CR LF, a bar for a bare LF. */
final class Http1ClientTest implements SessionListener {

    private static final Duration RESPONSE = Duration.ofSeconds(60);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

    private final ScriptedConnection connection = new ScriptedConnection();
    private final List<String> events = new ArrayList<>();
    private final ClientSession session =
            new Http1Client(Settings.DEFAULTS, RESPONSE, KEEP_ALIVE).open(connection, this);
    private final ClientTranscript transcript = new ClientTranscript();

    @Override
    public void onIdle(ClientSession idle, @Nullable ConnectionInfo client) {
        events.add("idle");
    }

    @Override
    public void onClosed(ClientSession closed) {
        events.add("closed");
    }

    private static ClientRequest request(String method, long length) {
        return new ClientRequest(method, "/a?b", new Headers().add("Host", "x"), length, null);
    }

    private ClientStream start(ClientRequest request) {
        ClientStream stream = session.start(request, transcript);
        assertNotNull(stream);
        return stream;
    }

    private static byte[] wire(String text) {
        return text.replace("\n", "\r\n").replace('|', '\n').getBytes(StandardCharsets.ISO_8859_1);
    }

    private String answer(String method, String response) {
        start(request(method, 0));
        connection.receive(wire(response));
        return transcript.text();
    }

    @Test
    void sendsARequestAndKeepsTheConnection() {
        assertEquals("200[5](hello)END", answer("GET", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"));
        assertEquals("GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n", connection.takeSent());
        assertEquals(List.of("idle"), events);
        assertTrue(session.isIdle());
        assertEquals(KEEP_ALIVE, connection.timeout());
        ClientTranscript second = new ClientTranscript();
        ClientStream stream = session.start(request("GET", 0), second);
        assertNotNull(stream);
        connection.receive(wire("HTTP/1.1 204 No Content\n\n"));
        assertEquals("204[-1]END", second.text());
        assertEquals(List.of("idle", "idle"), events);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "GET; HTTP/1.1 200 OK~Content-Length: 0~~; 200[0]END; true",
                "GET; HTTP/1.1 200 OK~Transfer-Encoding: chunked~~3~abc~2~de~0~~; 200[-1](abcde)END; true",
                "GET; HTTP/1.1 200 OK~Transfer-Encoding: Chunked~~3~abc~0~X-Sum: 1~~; 200[-1](abc){X-Sum: 1}END; true",
                "GET; HTTP/1.1 200 OK~Content-Length: 3~Connection: close~~abc; 200[3](abc)END; false",
                "GET; HTTP/1.1 200 OK~Content-Length: 3~Connection: x, Close~~abc; 200[3](abc)END; false",
                "GET; HTTP/1.0 200 OK~Content-Length: 3~~abc; 200[3](abc)END; false",
                "GET; HTTP/1.0 200 OK~Content-Length: 3~Connection: keep-alive~~abc; 200[3](abc)END; true",
                "HEAD; HTTP/1.1 200 OK~Content-Length: 3~~; 200[3]END; true",
                "HEAD; HTTP/1.1 200 OK~Transfer-Encoding: chunked~~; 200[-1]END; true",
                "HEAD; HTTP/1.1 200 OK~~; 200[-1]END; true",
                "GET; HTTP/1.1 304 Not Modified~Content-Length: 3~~; 304[3]END; true",
                "GET; HTTP/1.1 204 No Content~Content-Length: 0~~; 204[0]END; true",
                "GET; HTTP/1.1 204 No Content~Content-Length: 3~~; 204[-1]END; false",
                "GET; HTTP/1.1 204 No Content~Transfer-Encoding: chunked~~; 204[-1]END; false",
                "GET; HTTP/1.1 304 Not Modified~Transfer-Encoding: chunked~~; 304[-1]END; false",
                "GET; HTTP/1.1 304 Not Modified~Content-Length: 3~Content-Length: 4~~; 304[-1]END; false",
                "GET; HTTP/1.1 204 No Content~Transfer-Encoding: gzip~Content-Length: x~~; 204[-1]END; false",
                "GET; HTTP/1.1 200 OK~Content-Length: 3~Content-Length: 3~~abc; 200[3](abc)END; true",
                "GET; HTTP/1.1 200 OK~Content-Length: 3, 3~~abc; 200[3](abc)END; true",
                "GET; HTTP/1.1 200 OK~X-A \t: b~Content-Length: 3~~abc; 200[3](abc)END; true",
                "GET; HTTP/1.1 103 Early Hints~Link: </a>~~HTTP/1.1 200 OK~Content-Length: 0~~; 103 200[0]END; true",
                "GET; HTTP/1.1 100 ~~HTTP/1.1 404 ~Content-Length: 0~~; 100 404[0]END; true"
            })
    void readsAResponseHoweverItIsCutUp(String method, String response, String expected, boolean kept) {
        byte[] bytes = wire(response.replace('~', '\n'));
        start(request(method, 0));
        for (byte octet : bytes) {
            connection.receive(new byte[] {octet});
        }
        assertEquals(expected, transcript.text());
        assertEquals(kept, session.isIdle());
        assertEquals(!kept, connection.isClosed());
        if (kept) {
            Http1ClientTest whole = new Http1ClientTest();
            assertEquals(expected, whole.answer(method, response.replace('~', '\n')));
            assertTrue(whole.session.isIdle());
        }
    }

    @Test
    void readsAResponseWithoutFramingUpToTheEndOfTheConnection() {
        assertEquals("200[-1](abc)", answer("GET", "HTTP/1.1 200 OK\n\nabc"));
        connection.receiveEnd();
        assertEquals("200[-1](abc)END", transcript.text());
        assertTrue(connection.isClosed());
    }

    /** RFC 9112, 9.8: whoever is on the way could have cut it. */
    @Test
    void cutsAResponseWithoutFramingWhoseEndTlsHasNotAnnounced() {
        assertEquals("200[-1](abc)", answer("GET", "HTTP/1.1 200 OK\n\nabc"));
        connection.receiveTruncatedEnd();
        assertEquals("200[-1](abc)CUT", transcript.text());
        assertTrue(connection.isClosed());
    }

    /** What can be read in two ways, or not at all. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/2 200 OK\n\n",
                "HTTP/1.1 200 OK|\n",
                "HTTP/1.1  200 OK\n\n",
                "HTTP/1.1 099 OK\n\n",
                "ICY 200 OK\n\n",
                "\nHTTP/1.1 200 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 200 OK\nContent-Length: 3\nContent-Length: 4\n\nabc",
                "HTTP/1.1 200 OK\nContent-Length: 3, 4\n\nabc",
                "HTTP/1.1 200 OK\nContent-Length: 3,\n\nabc",
                "HTTP/1.1 200 OK\nContent-Length: +3\n\nabc",
                "HTTP/1.1 200 OK\nContent-Length: \n\nabc",
                "HTTP/1.1 200 OK\nContent-Length: 1234567890123456789\n\nabc",
                "HTTP/1.1 200 OK\nContent-Length: 3\nTransfer-Encoding: chunked\n\n3\nabc\n0\n\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\n3\nabc\n0\n\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n3\nabc\n0\n\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: identity\n\nabc",
                "HTTP/1.0 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\n0\n\n",
                "HTTP/1.1 200 OK\nContent-Length : 3\n\nabc",
                "HTTP/1.1 200 OK\ntransfer-encoding\t: chunked\n\n3\nabc\n0\n\n",
                "HTTP/1.1 200 OK\n : a\nContent-Length: 3\n\nabc",
                "HTTP/1.1 200 OK\nX y: a\nContent-Length: 3\n\nabc",
                "HTTP/1.1 200 OK\nX: a\n b\nContent-Length: 3\n\nabc",
                "HTTP/1.1 200 OK\nX: a\u0000b\nContent-Length: 3\n\nabc",
                "HTTP/1.1 101 Switching Protocols\nUpgrade: h2c\nConnection: Upgrade\n\n"
            })
    void refusesAMalformedHead(String response) {
        assertEquals("MALFORMED/YES", answer("GET", response));
        assertTrue(connection.isClosed());
        assertEquals(List.of("closed"), events);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3\nabcd\n0\n\n", "g\nabc\n", "3|abc\n0\n\n", "-3\nabc\n0\n\n", "3\nabc\n0\nX : y\n\n"})
    void refusesAMalformedBody(String chunks) {
        String seen = answer("GET", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n" + chunks);
        assertTrue(seen.startsWith("200[-1]") && seen.endsWith("CUT"), seen);
        assertTrue(connection.isClosed());
    }

    @Test
    void takesInterimResponsesOfALongJob() {
        String seen = answer("GET", "HTTP/1.1 102 Processing\n\n".repeat(40) + "HTTP/1.1 204 No Content\n\n");
        assertTrue(seen.endsWith("204[-1]END"), seen);
    }

    @Test
    void refusesTooManyInterimResponses() {
        assertTrue(answer("GET", "HTTP/1.1 102 Processing\n\n".repeat(InterimRate.MAX_BURST + 10))
                .endsWith("MALFORMED/YES"));
    }

    @Test
    void refusesAHeadThatIsTooLarge() {
        assertEquals("MALFORMED/YES", answer("GET", "HTTP/1.1 200 OK\nX: " + "a".repeat(9000) + "\n\n"));
    }

    /** The end, and a reset, at each octet of a response: nothing but the whole one looks whole. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n"
            })
    void detectsATruncatedResponse(String response) {
        byte[] bytes = wire(response);
        for (int cut = 0; cut < bytes.length; cut++) {
            for (boolean reset : new boolean[] {true, false}) {
                Http1ClientTest test = new Http1ClientTest();
                test.start(request("GET", 0));
                test.connection.receive(java.util.Arrays.copyOf(bytes, cut));
                if (reset) {
                    test.connection.breakOff();
                } else {
                    test.connection.receiveEnd();
                }
                String seen = test.transcript.text();
                String expected = cut == 0 ? "CLOSED/MAYBE" : seen.startsWith("200") ? "CUT" : "CLOSED/YES";
                assertTrue(seen.endsWith(expected), cut + ": " + seen);
                assertTrue(test.connection.isClosed());
                assertEquals(List.of("closed"), test.events);
            }
        }
    }

    @Test
    void dropsBytesThatFollowAResponse() {
        answer("GET", "HTTP/1.1 200 OK\nContent-Length: 1\n\naHTTP/1.1 200 OK\nContent-Length: 6\n\npoison");
        assertEquals("200[1](a)END", transcript.text());
        assertTrue(connection.isClosed());
        assertEquals(List.of("closed"), events);
    }

    @Test
    void closesAnIdleConnectionThatSaysSomething() {
        connection.receive(wire("HTTP/1.1 408 Request Timeout\nContent-Length: 0\n\n"));
        assertTrue(connection.isClosed());
        assertNull(session.start(request("GET", 0), transcript));
        assertEquals("", transcript.text());
    }

    /** As with TLS 1.3, whose session tickets come at any time. */
    @Test
    void sendsARequestThatBeginsWhileItLooksWhetherSomethingCame() {
        connection.receiveNothing(() -> {
            assertTrue(session.isIdle());
            start(request("GET", 0));
            assertFalse(session.isIdle());
            assertEquals("", connection.sent());
        });
        assertEquals("GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n", connection.sent());
        assertEquals(RESPONSE, connection.timeout());
        connection.receive(wire("HTTP/1.1 200 OK\nContent-Length: 0\n\n"));
        assertEquals("200[0]END", transcript.text());
        assertTrue(session.isIdle());
    }

    @Test
    void neverSendsARequestThatBeginsWhileSomethingComes() {
        connection.receiveNothing(() -> {
            start(request("POST", 3));
            connection.receive(wire("HTTP/1.1 200 OK\nContent-Length: 6\n\npoison"));
        });
        assertEquals("CLOSED/NO", transcript.text());
        assertEquals("", connection.sent());
        assertTrue(connection.isClosed());
    }

    @Test
    void mayBeGivenUpWhileItLooksWhetherSomethingCame() {
        connection.receiveNothing(() -> start(request("GET", 0)).abort(null));
        assertEquals("ABORTED/MAYBE", transcript.text());
        assertEquals("", connection.sent());
        assertTrue(connection.isClosed());
    }

    @ParameterizedTest
    @CsvSource({"POST, 0", "POST, 3", "PUT, 3"})
    void sendsNothingThatCannotBeRepeatedOnAConnectionThatTheServerHasEnded(String method, int length) {
        answer("GET", "HTTP/1.1 200 OK\nContent-Length: 0\n\n");
        connection.takeSent();
        connection.receiveEndUnnoticed();
        ClientTranscript second = new ClientTranscript();
        assertNotNull(session.start(request(method, length), second));
        assertEquals("CLOSED/NO", second.text());
        assertEquals("", connection.sent());
        assertTrue(connection.isClosed());
    }

    @Test
    void sendsARequestThatCannotBeRepeatedIfTheConnectionIsOpen() {
        answer("GET", "HTTP/1.1 200 OK\nContent-Length: 0\n\n");
        connection.takeSent();
        ClientTranscript second = new ClientTranscript();
        assertNotNull(session.start(request("POST", 0), second));
        assertTrue(connection.takeSent().startsWith("POST "));
        connection.receive(wire("HTTP/1.1 200 OK\nContent-Length: 2\n\nok"));
        assertEquals("200[2](ok)END", second.text());
        assertEquals(List.of("idle", "idle"), events);
    }

    @Test
    void closesAnIdleConnectionThatTheServerEnds() {
        answer("GET", "HTTP/1.1 200 OK\nContent-Length: 0\n\n");
        connection.receiveEnd();
        assertTrue(connection.isClosed());
        assertEquals(List.of("idle", "closed"), events);
    }

    @Test
    void closesWhatIsIdleForTooLongAndWhatDrains() {
        connection.idle();
        assertTrue(connection.isClosed());
        Http1ClientTest other = new Http1ClientTest();
        other.connection.drain();
        assertTrue(other.connection.isClosed());
    }

    @Test
    void sendsABodyOfKnownLength() {
        ClientStream stream = start(request("POST", 5));
        stream.send(ByteBuffer.wrap(wire("he")), false, Completion.IGNORE);
        stream.send(ByteBuffer.wrap(wire("llo")), true, Completion.IGNORE);
        assertEquals("POST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", connection.sent());
        connection.receive(wire("HTTP/1.1 200 OK\nContent-Length: 0\n\n"));
        assertTrue(session.isIdle());
    }

    @Test
    void sendsABodyOfUnknownLengthWithTrailers() {
        ClientStream stream = start(request("PUT", -1));
        stream.send(ByteBuffer.wrap(wire("hello")), false, Completion.IGNORE);
        stream.trailers(new Headers().add("X-Sum", "1").add("Content-Length", "9"));
        stream.send(ByteBuffer.allocate(0), true, Completion.IGNORE);
        assertTrue(connection.sent().endsWith("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n"));
    }

    @Test
    void sendsNeitherMoreNorLessThanItAnnounced() {
        ClientStream stream = start(request("POST", 2));
        assertThrows(IllegalStateException.class, () -> stream.send(ByteBuffer.allocate(3), true, Completion.IGNORE));
        ClientStream other = new Http1ClientTest().start(request("POST", 2));
        assertThrows(IllegalStateException.class, () -> other.send(ByteBuffer.allocate(1), true, Completion.IGNORE));
    }

    @Test
    void saysThatABodyIsEmptyWhereOneIsUsual() {
        start(request("POST", 0));
        assertTrue(connection.sent().endsWith("Content-Length: 0\r\n\r\n"));
    }

    @Test
    void closesAfterAResponseThatCameBeforeTheWholeRequest() {
        ClientStream stream = start(request("POST", 100));
        connection.receive(wire("HTTP/1.1 413 Content Too Large\nContent-Length: 2\n\nno"));
        assertEquals("413[2](no)END", transcript.text());
        assertTrue(connection.isClosed());
        List<Boolean> failed = new ArrayList<>();
        stream.send(ByteBuffer.allocate(10), false, failure -> failed.add(failure != null));
        assertEquals(List.of(true), failed);
    }

    @Test
    void keepsAConnectionWhoseResponseWasFasterThanTheNewsOfTheLastWrite() {
        ClientStream stream = start(request("POST", 3));
        connection.hold();
        stream.send(ByteBuffer.wrap(wire("abc")), true, Completion.IGNORE);
        connection.receive(wire("HTTP/1.1 200 OK\nContent-Length: 0\n\n"));
        assertEquals("200[0]END", transcript.text());
        assertFalse(session.isIdle());
        stream.abort(null);
        connection.unhold();
        assertTrue(session.isIdle());
    }

    @Test
    void waitsForAResponseOnlyWhenTheRequestWasSent() {
        ClientStream stream = start(request("POST", 1));
        connection.idle();
        assertFalse(connection.isClosed());
        stream.send(ByteBuffer.allocate(1), true, Completion.IGNORE);
        assertEquals(RESPONSE, connection.timeout());
        connection.idle();
        assertEquals("TIMED_OUT/MAYBE", transcript.text());
    }

    @Test
    void givesARequestUpOnceAndNeverTheNextOne() {
        ClientStream first = start(request("GET", 0));
        connection.receive(wire("HTTP/1.1 200 OK\nContent-Length: 0\n\n"));
        first.abort(null);
        assertTrue(session.isIdle());
        ClientTranscript second = new ClientTranscript();
        ClientStream stream = session.start(request("GET", 0), second);
        first.abort(null);
        assertFalse(connection.isClosed());
        assertNotNull(stream);
        stream.abort(null);
        assertTrue(connection.isReset());
        ClientException failure = second.failure();
        assertNotNull(failure);
        assertEquals(ClientException.Reason.ABORTED, failure.reason());
    }

    @Test
    void becomesATunnel() {
        ClientRequest upgrade = new ClientRequest("GET", "/", new Headers().add("Host", "x"), 0, "websocket");
        ClientStream stream = start(upgrade);
        assertEquals(
                "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
                connection.takeSent());
        connection.receive(wire("HTTP/1.1 101 Switching Protocols\nUpgrade: WebSocket\nConnection: upgrade\n\nfirst"));
        connection.receive("more");
        stream.send(ByteBuffer.wrap(wire("up")), false, Completion.IGNORE);
        assertEquals("101[-1](firstmore)", transcript.text());
        connection.receiveEnd();
        assertEquals("101[-1](firstmore)END", transcript.text());
        assertFalse(connection.isClosed());
        stream.send(ByteBuffer.wrap(wire("!")), true, Completion.IGNORE);
        assertEquals("up!", connection.sent());
        assertTrue(connection.isFinished());
    }

    /** The listener may write at once, and there is one write at a time. */
    @Test
    void becomesATunnelOnlyWhenTheRequestWasSent() {
        ClientRequest upgrade = new ClientRequest("GET", "/", new Headers().add("Host", "x"), 0, "websocket");
        connection.hold();
        start(upgrade);
        connection.receive(wire("HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: Upgrade\n\nfirst"));
        assertEquals("", transcript.text());
        connection.unhold();
        assertEquals("101[-1](first)", transcript.text());
    }

    @Test
    void failsIfItsServerIsGoneBeforeItIsATunnel() {
        ClientRequest upgrade = new ClientRequest("GET", "/", new Headers().add("Host", "x"), 0, "websocket");
        connection.hold();
        start(upgrade);
        connection.receive(wire("HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: Upgrade\n\n"));
        connection.breakOff();
        assertEquals("CLOSED/YES", transcript.text());
    }

    @Test
    void mayBeRefusedATunnel() {
        ClientRequest upgrade = new ClientRequest("GET", "/", new Headers().add("Host", "x"), 0, "websocket");
        start(upgrade);
        connection.receive(wire("HTTP/1.1 403 Forbidden\nContent-Length: 0\n\n"));
        assertEquals("403[0]END", transcript.text());
        assertTrue(session.isIdle());
    }

    @ParameterizedTest
    @CsvSource({"a b, /, X", "GET, a, X", "GET, /a b, X", "GET, /, Content-Length", "GET, /, upgrade", "GET, /, X Y"})
    void refusesWhatWouldNotBeOneRequest(String method, String target, String name) {
        Headers fields = new Headers().add("Host", "x").add(name, "1");
        assertThrows(IllegalArgumentException.class, () -> new ClientRequest(method, target, fields, 0, null));
        Headers split = new Headers().add("Host", "x").add("X", "a\r\nY: b");
        assertThrows(IllegalArgumentException.class, () -> new ClientRequest("GET", "/", split, 0, null));
        assertThrows(IllegalArgumentException.class, () -> new ClientRequest("GET", "/", new Headers(), 0, null));
    }
}
