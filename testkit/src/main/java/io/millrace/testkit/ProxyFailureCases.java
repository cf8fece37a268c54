package io.millrace.testkit;

import static io.millrace.testkit.ProxyHarness.GET;
import static io.millrace.testkit.ProxyHarness.OK;
import static io.millrace.testkit.ProxyHarness.assertStatus;
import static io.millrace.testkit.ProxyHarness.uri;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.testkit.ProxyHarness.Peer;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Backends and clients that fail, and requests that a proxy repeats, on a transport. A proxy … */
interface ProxyFailureCases {

    ProxyHarness harness();

    @Test
    @DiffersByTransport
    default void answers502ForABackendThatBreaksOffAndAbortsAResponseThatHasBegun() throws Exception {
        Server proxy =
                harness().start(ProxyApplication.to(uri(harness().backend().getLocalPort())));
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        for (int cut = 1; cut < response.length(); cut++) {
            Peer client = harness().client(proxy);
            client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            try (Peer server = harness().accept()) {
                server.head();
                server.send(response.substring(0, cut));
            }
            String seen = client.rest();
            boolean headCame = cut >= response.indexOf("hello");
            assertTrue(headCame || seen.startsWith("HTTP/1.1 50"), cut + ": " + seen);
            assertFalse(seen.endsWith("hello"), seen);
            client.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 200 OK~Content-Length: 3~Content-Length: 4~~abcd, 502",
        "HTTP/1.1 200 OK~Content-Length: 3~Transfer-Encoding: chunked~~0~~, 502",
        "HTTP/1.1 200 OK~X 1~~, 502",
        "HTTP/1.1 101 Switching Protocols~Upgrade: x~Connection: Upgrade~~, 502",
        "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~xyz~, 502",
        "nonsense~, 502"
    })
    default void refusesAMalformedResponse(String response, int status) throws Exception {
        Peer client = harness().client();
        client.send(GET);
        Peer server = harness().accept();
        server.head();
        server.send(response.replace("~", "\r\n"));
        assertStatus(status, client.head());
        assertEquals("", server.rest().replace("RESET", ""));
    }

    @Test
    @DiffersByTransport
    default void answersForABackendThatIsSilentOrNotThere() throws Exception {
        Server silent = harness()
                .start(ProxyApplication.to(uri(harness().backend().getLocalPort()))
                        .with(ProxyOptions.RESPONSE_TIMEOUT, Duration.ofMillis(100)));
        Peer client = harness().client(silent);
        client.send(GET);
        harness().accept().head();
        assertStatus(504, client.head());
        int port = harness().backend().getLocalPort();
        harness().backend().close();
        assertStatus(
                502,
                harness()
                        .client(harness().start(ProxyApplication.to(uri(port))))
                        .send(GET)
                        .head());
    }

    /** An exchange that stays suspended would never end, nor return its lease to the pool. */
    @ParameterizedTest
    @ValueSource(strings = {"body", "first write", "second write"})
    default void endsARequestWhateverIsThrown(String where) throws Exception {
        for (Throwable thrown : List.of(new OutOfMemoryError("test"), new IllegalStateException("test"))) {
            ProxyApplication proxy =
                    ProxyApplication.to(uri(harness().backend().getLocalPort())).with(ProxyOptions.MAX_CONNECTIONS, 1);
            Server server = harness().start(new FaultyProxy(proxy, where, thrown));
            Peer client = harness()
                    .client(server)
                    .send("POST /faulty HTTP/1.1\r\nHost: shop\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc");
            if (where.equals("body")) { // is read before there is a connection
                assertStatus(500, client.rest());
            } else {
                try (Peer backend = harness().accept()) {
                    backend.receive("\r\n\r\nabc");
                    String head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
                    if (where.equals("second write")) {
                        backend.send(head);
                        client.head();
                        backend.send("hello");
                    } else { // in one piece: the proxy may reset the connection when it has read the head
                        backend.send(head + "hello");
                    }
                    String seen = client.rest();
                    assertFalse(seen.endsWith("hello"), seen);
                }
            }
            Peer next = harness().client(server).send(GET);
            Peer backend = harness().accept();
            backend.head();
            backend.send(OK);
            assertStatus(200, next.receive("\r\n\r\nok"));
        }
    }

    @Test
    default void triesAnotherBackendWhereNothingWasSent() throws Exception {
        ServerSocket dead = harness().listening();
        dead.close();
        Server proxy = harness()
                .start(ProxyApplication.to(
                                uri(dead.getLocalPort()),
                                uri(harness().backend().getLocalPort()))
                        .with(ProxyOptions.MAX_CONNECTIONS, 1));
        Peer client = harness().client(proxy);
        client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 3\r\n\r\nabc");
        Peer server = harness().accept();
        for (int i = 0; i < 8; i++) {
            server.receive("\r\n\r\nabc");
            server.send(OK);
            assertStatus(200, client.receive("\r\n\r\nok"));
            client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 3\r\n\r\nabc");
        }
    }

    /** It is kept until the response comes: without a length, too, if it has arrived with the head. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 3~~abc",
                "Transfer-Encoding: chunked~~3~abc~0~~",
                "Transfer-Encoding: chunked~~0~~"
            })
    default void repeatsAShortBodyWhenAKeptConnectionEnds(String framed) throws Exception {
        String request = ("PUT / HTTP/1.1~Host: shop~" + framed).replace("~", "\r\n");
        String end = framed.substring(framed.indexOf("~~")).replace("~", "\r\n");
        Peer client = harness().client();
        client.send(request);
        Peer first = harness().accept();
        first.receive(end);
        first.send(OK);
        client.receive("\r\n\r\nok");
        client.send(request);
        first.receive(end);
        first.close();
        Peer second = harness().accept();
        second.receive(end);
        second.send(OK);
        assertStatus(200, client.receive("\r\n\r\nok"));
    }

    /** What was read of it is kept, whether its length is known or not. */
    @ParameterizedTest
    @CsvSource({"Content-Length: 70000~~abc, 69997", "Transfer-Encoding: chunked~~3~abc~, -1"})
    default void repeatsTheBeginningOfALongBodyWhenAKeptConnectionEnds(String framed, int rest) throws Exception {
        Peer client = harness().client();
        client.send(GET);
        Peer first = harness().accept();
        first.head();
        first.send(OK);
        client.receive("\r\n\r\nok");
        client.send(("PUT / HTTP/1.1~Host: shop~" + framed).replace("~", "\r\n"));
        first.receive("abc");
        first.close();
        Peer second = harness().accept();
        second.receive("abc");
        client.send(rest < 0 ? "3\r\nxyz\r\n0\r\n\r\n" : "d".repeat(rest - 3) + "xyz");
        second.receive("xyz");
        second.send(OK);
        assertStatus(200, client.receive("\r\n\r\nok"));
    }

    @Test
    default void doesNotRepeatABodyOfWhichMoreWasSentThanIsKept() throws Exception {
        Peer client = harness().client();
        client.send(GET);
        Peer first = harness().accept();
        first.head();
        first.send(OK);
        client.receive("\r\n\r\nok");
        client.send("PUT / HTTP/1.1\r\nHost: shop\r\nContent-Length: 100000\r\n\r\n" + "d".repeat(89_997) + "xyz");
        first.receive("xyz");
        first.close();
        assertStatus(502, client.head());
    }

    /** A POST may have been processed, though its response has not come. */
    @Test
    default void doesNotRepeatAPostWhoseConnectionEnds() throws Exception {
        Peer client = harness().client();
        client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 3\r\n\r\nabc");
        Peer first = harness().accept();
        first.receive("\r\n\r\nabc");
        first.close();
        assertStatus(502, client.head());
    }

    /** Otherwise clients could hold all connections to a backend without sending anything. */
    @Test
    default void takesNoConnectionForABodyThatDoesNotCome() throws Exception {
        Server proxy = harness()
                .start(ProxyApplication.to(uri(harness().backend().getLocalPort()))
                        .with(ProxyOptions.MAX_CONNECTIONS, 1));
        Peer slow = harness().client(proxy).send("POST /s HTTP/1.1\r\nHost: shop\r\nContent-Length: 6\r\n\r\nabc");
        Peer large = harness().client(proxy).send("POST /l HTTP/1.1\r\nHost: shop\r\nContent-Length: 100000\r\n\r\n");
        Peer client = harness().client(proxy).send(GET);
        Peer server = harness().accept();
        assertTrue(server.head().startsWith("GET "));
        server.send(OK);
        assertStatus(200, client.receive("\r\n\r\nok"));
        slow.send("def");
        assertTrue(server.receive("\r\n\r\nabcdef").startsWith("POST /s "));
        server.send(OK);
        assertStatus(200, slow.receive("\r\n\r\nok"));
        large.send("abc");
        assertTrue(server.receive("\r\n\r\nabc").startsWith("POST /l "));
    }

    @Test
    default void repeatsOnlyWhatIsIdempotentWhenAKeptConnectionEnds() throws Exception {
        Peer client = harness().client();
        client.send(GET);
        Peer first = harness().accept();
        first.head();
        first.send(OK);
        client.receive("\r\n\r\nok");
        client.send(GET);
        first.head();
        first.close();
        Peer second = harness().accept();
        second.head();
        second.send(OK);
        assertStatus(200, client.receive("\r\n\r\nok"));
        client.send("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\n\r\n");
        second.head();
        second.close();
        assertStatus(502, client.head());
    }

    /** The session's backend is tried first, and fails in a way after which only an operator may permit a retry. */
    @ParameterizedTest
    @CsvSource({
        "503, 503, HTTP/1.1 503 Service Unavailable~Content-Length: 4~~busy",
        "'404, 500', 500, HTTP/1.1 500 Internal Server Error~~no end yet",
        "malformed, 502, NONSENSE~~",
        "timeout, 504, ''"
    })
    default void repeatsElsewhereWhatTheOperatorNames(String retryOn, int status, String lines) throws Exception {
        String answer = lines.replace("~", "\r\n");
        ServerSocket bad = harness().listening();
        String[] addresses = {
            uri(bad.getLocalPort()) + "?route=bad", uri(harness().backend().getLocalPort())
        };
        Server proxy = harness()
                .start(ProxyApplication.to(addresses)
                        .with(ProxyOptions.STICKY, "id")
                        .with(ProxyOptions.RETRY_ON, Set.of(retryOn.split(", ")))
                        .with(ProxyOptions.RESPONSE_TIMEOUT, Duration.ofMillis(500)));
        String get = "GET / HTTP/1.1\r\nHost: shop\r\nCookie: id=1.bad\r\n\r\n";
        Peer repeated = harness().client(proxy).send(get);
        Peer first = harness().opened(new Peer(bad.accept()));
        first.head();
        first.send(answer);
        Peer second = harness().accept();
        assertTrue(second.head().startsWith("GET / "));
        second.send(OK);
        assertStatus(200, repeated.receive("\r\n\r\nok"));
        Peer post = harness().client(proxy).send(get.replace("GET", "POST"));
        Peer failing = status == 503 ? first : harness().opened(new Peer(bad.accept())); // complete: reused
        failing.head();
        failing.send(answer);
        assertStatus(status, post.head());
        Server alone = harness()
                .start(ProxyApplication.to(addresses[0])
                        .with(ProxyOptions.RETRY_ON, Set.of(retryOn.split(", ")))
                        .with(ProxyOptions.RESPONSE_TIMEOUT, Duration.ofMillis(500)));
        Peer client = harness().client(alone).send(get);
        Peer only = harness().opened(new Peer(bad.accept()));
        only.head();
        only.send(answer);
        assertStatus(status, client.head());
    }

    /** A backend is killed under load: no client notices. */
    @Test
    default void losesNoIdempotentRequestWhenABackendIsKilled() throws Exception {
        Process child = BackendMain.start("child");
        harness().opened(child::destroyForcibly);
        int port;
        try (BufferedReader out = child.inputReader(StandardCharsets.US_ASCII)) {
            port = Integer.parseInt(String.valueOf(out.readLine()));
            ServerSocket other = harness().listening();
            new Thread(() -> BackendMain.serve(harness().backend(), "first"), "first").start();
            new Thread(() -> BackendMain.serve(other, "other"), "other").start();
            Server proxy = harness()
                    .start(ProxyApplication.to(
                            uri(harness().backend().getLocalPort()), uri(other.getLocalPort()), uri(port)));
            ProxyLoad load =
                    new ProxyLoad(16, () -> new Peer(new Socket(InetAddress.getLoopbackAddress(), proxy.port())));
            Deadline.await("the backend to be busy", () -> load.answers("child") > 200 || load.hasFailed());
            child.destroyForcibly().waitFor();
            int before = load.answers("other");
            Deadline.await("requests after its end", () -> load.answers("other") > before + 500 || load.hasFailed());
            assertEquals(List.of(), load.end());
        }
    }
}
