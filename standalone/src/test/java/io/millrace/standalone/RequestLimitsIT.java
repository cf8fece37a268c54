package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much each Connector takes of a client, how long it waits and what it passes over: each attribute, and its default, … */
@NullUnmarked
final class RequestLimitsIT {

    private static final String CONNECTORS = """
            <Executor name='pool' namePrefix='shop-' maxThreads='2'/>
            <Connector port='0' address='127.0.0.1' maxHttpHeaderSize='600' maxHeaderCount='6' maxTrailerSize='30'
                maxExtensionSize='20' allowedTrailerHeaders='X-Kept' maxPostSize='20' maxParameterCount='2' maxPartCount='1'
                maxPartHeaderSize='80' maxSwallowSize='1000' encodedSolidusHandling='decode' server='Probe/1'/>
            <Connector port='0' address='127.0.0.1'/>
            <Connector port='0' address='127.0.0.1' maxHttpRequestHeaderSize='20000' maxHttpResponseHeaderSize='500'
                parseBodyMethods='POST,PUT' rejectIllegalHeader='false' allowHostHeaderMismatch='true'
                relaxedPathChars='[]' relaxedQueryChars='{}' encodedSolidusHandling='passthrough'
                continueResponseTiming='immediately' proxyName='shop.example' proxyPort='444' scheme='https' secure='true'/>
            <Connector port='0' address='127.0.0.1' connectionTimeout='2000' keepAliveTimeout='20000' maxKeepAliveRequests='2'
                disableUploadTimeout='false' connectionUploadTimeout='60000'/>
            <Connector port='0' address='127.0.0.1' connectionTimeout='2000' useKeepAliveResponseHeader='false'
                useVirtualThreads='VIRTUAL'/>
            <Connector port='0' address='127.0.0.1' maxConnections='1' executor='pool'/>
            """;

    private static final int SMALL = 0;
    private static final int DEFAULTS = 1;
    private static final int LENIENT = 2;
    private static final int QUICK = 3;
    private static final int IMPATIENT = 4;
    private static final int NARROW = 5;

    private static final boolean VIRTUAL = Runtime.version().feature() >= 21;

    @TempDir
    private static Path base;

    private static ProbeServer server;

    @BeforeAll
    static void start() throws Exception {
        server = ProbeServer.serving(base, CONNECTORS.replace("VIRTUAL", String.valueOf(VIRTUAL)));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void sizeOfARequestsHead() throws Exception {
        String large = "X-Long: " + "x".repeat(700) + "\r\n";
        assertEquals(431, status(SMALL, get("/where", large)));
        assertEquals(200, status(DEFAULTS, get("/where", large)));
        String huge = "X-Long: " + "x".repeat(10_000) + "\r\n";
        assertEquals(431, status(DEFAULTS, get("/where", huge)));
        assertEquals(200, status(LENIENT, get("/where", huge)));
    }

    @Test
    void sizeOfAResponsesHead() throws Exception {
        String request = get("/header?value=" + "x".repeat(600), "");
        assertEquals(500, status(LENIENT, request));
        assertEquals(200, status(DEFAULTS, request));
    }

    @Test
    void numberOfFields() throws Exception {
        String fields = "A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\nE: 5\r\n";
        assertEquals(431, status(SMALL, get("/where", fields)));
        assertEquals(200, status(DEFAULTS, get("/where", fields)));
    }

    @Test
    void trailersThatTheApplicationSees() throws Exception {
        String body = "3\r\nabc\r\n0\r\nX-Kept: 1\r\nX-Other: 2\r\n\r\n";
        String kept = ask(SMALL, chunked(body));
        assertTrue(kept.contains("{x-kept=1}"), kept);
        String none = ask(DEFAULTS, chunked(body));
        assertTrue(none.contains("{}"), none);
    }

    @Test
    void sizeOfTrailersAndExtensions() throws Exception {
        String trailer = "3\r\nabc\r\n0\r\nX-Other: " + "x".repeat(40) + "\r\n\r\n";
        assertEquals(400, status(SMALL, chunked(trailer)));
        assertEquals(200, status(DEFAULTS, chunked(trailer)));
        String extension = "3;" + "x".repeat(40) + "\r\nabc\r\n0\r\n\r\n";
        assertEquals(400, status(SMALL, chunked(extension)));
        assertEquals(200, status(DEFAULTS, chunked(extension)));
    }

    @Test
    void sizeOfAForm() throws Exception {
        String form = "name=" + "x".repeat(30);
        assertEquals(413, Curl.status("-d", form, server.url(SMALL, "/parameter")));
        assertEquals(200, Curl.status("-d", form, server.url(DEFAULTS, "/parameter")));
    }

    @Test
    void numberOfParameters() throws Exception {
        assertEquals(400, Curl.status(server.url(SMALL, "/parameter?name=a&b=1&c=2")));
        assertEquals(200, Curl.status(server.url(DEFAULTS, "/parameter?name=a&b=1&c=2")));
    }

    @Test
    void numberOfPartsAndTheirHeads() throws Exception {
        assertEquals(413, Curl.status("-F", "a=1", "-F", "b=2", server.url(SMALL, "/parts")));
        assertEquals(
                "2",
                Curl.run("-F", "a=1", "-F", "b=2", server.url(DEFAULTS, "/parts"))
                        .strip());
        String named = "a".repeat(60) + "=1";
        assertEquals(413, Curl.status("-F", named, server.url(SMALL, "/parts")));
        assertEquals("1", Curl.run("-F", named, server.url(DEFAULTS, "/parts")).strip());
    }

    @Test
    void bodiesThatNobodyReads() throws Exception {
        String request = "POST /where HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n" + "x".repeat(2000);
        assertTrue(head(SMALL, request).contains("Connection: close\r\n"));
        assertFalse(head(DEFAULTS, request).contains("Connection: close\r\n"));
    }

    @Test
    void methodsWithForms() throws Exception {
        assertEquals(
                "put",
                Curl.run("-X", "PUT", "-d", "name=put", server.url(LENIENT, "/parameter"))
                        .strip());
        assertEquals(
                "null",
                Curl.run("-X", "PUT", "-d", "name=put", server.url(DEFAULTS, "/parameter"))
                        .strip());
    }

    @Test
    void slashesThatAreEncoded() throws Exception {
        assertTrue(ask(SMALL, get("/a%2Fb", "")).endsWith("/a/b\n"));
        assertEquals(400, status(DEFAULTS, get("/a%2Fb", "")));
        assertTrue(ask(LENIENT, get("/a%2Fb", "")).endsWith("/a%2Fb\n"));
    }

    @Test
    void charactersThatNoUriHolds() throws Exception {
        assertTrue(ask(LENIENT, get("/a[b]?x={y}", "")).endsWith("/a[b]\n"));
        assertEquals(400, status(LENIENT, get("/a{b}", "")));
        assertEquals(400, status(DEFAULTS, get("/a[b]", "")));
        assertEquals(400, status(DEFAULTS, get("/a?x={y}", "")));
    }

    @Test
    void fieldsThatAreMalformedAndHostsThatDiffer() throws Exception {
        assertEquals(200, status(LENIENT, get("/where", "Bad Name: x\r\n")));
        assertEquals(400, status(DEFAULTS, get("/where", "Bad Name: x\r\n")));
        assertEquals(200, status(LENIENT, get("http://other.test/where", "")));
        assertEquals(400, status(DEFAULTS, get("http://other.test/where", "")));
    }

    @Test
    void wherePeopleThinkTheyAre() throws Exception {
        String seen = ask(LENIENT, get("/where", ""));
        assertTrue(seen.contains("server shop.example 444"), seen);
        assertTrue(seen.contains("scheme https true"), seen);
        String plain = ask(DEFAULTS, get("/where", ""));
        assertTrue(plain.contains("server localhost 80") && plain.contains("scheme http false"), plain);
    }

    @Test
    void theServersName() throws Exception {
        assertTrue(head(SMALL, get("/where", "")).contains("Server: Probe/1\r\n"));
        assertFalse(head(DEFAULTS, get("/where", "")).contains("Server:"));
    }

    @Test
    void whenAClientIsToldToGoOn() throws Exception {
        String request = "POST /where HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n";
        assertTrue(head(LENIENT, request).startsWith("HTTP/1.1 100 "));
        assertTrue(head(DEFAULTS, request).startsWith("HTTP/1.1 200 "));
    }

    @Test
    void requestsOnAConnection() throws Exception {
        String request = "GET /where HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n";
        try (RawClient client = RawClient.connect(server.port(QUICK))) {
            String first = client.send(request).readUntil("\r\n\r\n");
            assertTrue(first.contains("Keep-Alive: timeout=20\r\n"), first);
            client.readUntil("cipher null\n");
            assertTrue(
                    client.isSilentFor(Duration.ofMillis(2_500)), "longer than a connection may say nothing at first");
            String second = client.send(request).readTextToEnd();
            assertTrue(second.contains("Connection: close\r\n"), second);
        }
        assertFalse(head(IMPATIENT, request).contains("Keep-Alive:"), "of no use to who wants to be told nothing");
    }

    @Test
    void timeForARequest() throws Exception {
        try (RawClient silent = RawClient.connect(server.port(IMPATIENT));
                RawClient slow = RawClient.connect(server.port(IMPATIENT));
                RawClient patient = RawClient.connect(server.port(DEFAULTS))) {
            String half = slow.send("GET /where HTTP/1.1\r\nHo").readTextToEnd();
            assertTrue(half.startsWith("HTTP/1.1 408 "), half);
            silent.awaitClose();
            assertTrue(patient.isSilentFor(Duration.ofMillis(1)), "still there");
        }
    }

    @Test
    void timeForABody() throws Exception {
        String type = "Content-Type: application/x-www-form-urlencoded\r\n";
        String head = "POST /parameter HTTP/1.1\r\nHost: localhost\r\n" + type
                + "Content-Length: 9\r\nConnection: close\r\n\r\n";
        try (RawClient tolerated = RawClient.connect(server.port(QUICK));
                RawClient refused = RawClient.connect(server.port(IMPATIENT))) {
            tolerated.send(head + "name=");
            refused.send(head + "name=");
            String late = refused.readTextToEnd();
            assertTrue(late.startsWith("HTTP/1.1 408 "), late);
            Deadline.pass(Duration.ofMillis(100)); // it had no more time
            String answer = tolerated.send("late").readTextToEnd();
            assertTrue(answer.endsWith("late\n"), answer);
        }
    }

    @Test
    void connectionsAtOnce() throws Exception {
        String request = "GET /thread HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (RawClient first = RawClient.connect(server.port(NARROW));
                RawClient second = RawClient.connect(server.port(NARROW))) {
            first.send(request).readUntil("\r\n\r\n");
            second.send(request);
            assertTrue(second.isSilentFor(Duration.ofMillis(300)));
            first.reset();
            String answer = second.readUntil("\r\n\r\n") + second.readUntil("\n");
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
            assertTrue(answer.contains("shop-"), "the thread of the Executor, by its namePrefix: " + answer);
        }
    }

    @Test
    void threadsOfAnotherKind() throws Exception {
        assertEquals(VIRTUAL, ask(IMPATIENT, get("/thread", "")).contains("VirtualThread["));
        assertFalse(ask(DEFAULTS, get("/thread", "")).contains("VirtualThread["));
    }

    private static String get(String target, String fields) {
        return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "Connection: close\r\n\r\n";
    }

    private static String chunked(String body) {
        return "POST /trailers HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                + body;
    }

    private static int status(int connector, String request) throws Exception {
        String answer = head(connector, request);
        assertTrue(answer.startsWith("HTTP/1.1 "), answer);
        return Integer.parseInt(answer.substring(9, 12));
    }

    private static String ask(int connector, String request) throws Exception {
        try (RawClient client = RawClient.connect(server.port(connector))) {
            return client.send(request).readTextToEnd();
        }
    }

    private static String head(int connector, String request) throws Exception {
        try (RawClient client = RawClient.connect(server.port(connector))) {
            return client.send(request).readUntil("\r\n\r\n");
        }
    }
}
