package io.millrace.testkit;

import static io.millrace.testkit.ProxyHarness.UPGRADE;
import static io.millrace.testkit.ProxyHarness.lines;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.ProxyHarness.Peer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exchanges that fail where a normal end of the connection would look like success, on a transport. A proxy … */
interface ProxyResetCases {

    ProxyHarness harness();

    /** Whether the transport can reset connections. */
    default boolean canReset() {
        return true;
    }

    /** A normal end might be taken for a half-close, and the request be processed further. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    @DiffersByTransport
    default void resetsTheConnectionToTheBackendWhenTheClientGoes(String method) throws Exception {
        Peer client = harness().client();
        client.send(method + " / HTTP/1.1\r\nHost: shop\r\n"
                + (method.equals("GET") ? "\r\n" : "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n"));
        Peer server = harness().accept();
        server.head();
        client.socket().setSoLinger(true, 0);
        client.close();
        assertEquals(canReset(), server.rest().endsWith("RESET"));
    }

    /** For HTTP/1.0, the end of the connection is the end of the response. */
    @Test
    @DiffersByTransport
    default void resetsAClientOfHttp10WhoseResponseBreaksOff() throws Exception {
        Peer client = harness().client();
        client.send("GET / HTTP/1.0\r\nHost: shop\r\n\r\n");
        try (Peer server = harness().accept()) {
            server.head();
            server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nwo");
            client.receive("hello");
        }
        assertEquals(canReset(), client.rest().endsWith("RESET"));
    }

    @Test
    @DiffersByTransport
    default void endsAResponseToAClientOfHttp10InGoodOrderThatIsWhole() throws Exception {
        Peer client = harness().client();
        client.send("GET / HTTP/1.0\r\nHost: shop\r\n\r\n");
        Peer server = harness().accept();
        server.head();
        server.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
        client.receive("hello");
        server.send("0\r\n\r\n");
        assertEquals("", client.rest());
    }

    /** Its directions have no other end than that of the connection. */
    @Test
    @DiffersByTransport
    default void resetsTheOtherSideOfAWebSocketThatBreaksOff() throws Exception {
        Peer client = harness().client();
        client.send(UPGRADE);
        Peer server = harness().accept();
        server.head();
        server.send(lines(
                "HTTP/1.1 101 Switching Protocols",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Accept: s3pPLBMxbaQ9kYGzzhZRbK+xOo="));
        client.head();
        client.send("ping");
        server.receive("ping");
        client.socket().setSoLinger(true, 0);
        client.close();
        assertEquals(canReset(), server.rest().endsWith("RESET"));
    }

    /** In each stage, whoever ends it: an orderly end is passed on after all that was sent, and a reset is no orderly end. */
    @ParameterizedTest
    @CsvSource({
        "'','', false", "'','', true",
        "'hello, ha','world, wo', false", "'hello, ha','world, wo', true",
        "'hello, close','', false", "'hello, close','', true",
        "'hello','world, close', false", "'hello','world, close', true"
    })
    default void endsTheOtherSideOfAWebSocketAsThisOneEnds(String byClient, String byServer, boolean clientEnds)
            throws Exception {
        for (boolean isReset : new boolean[] {false, true}) {
            Peer client = harness().client();
            client.send(UPGRADE);
            Peer server = harness().accept();
            server.head();
            server.send(lines(
                    "HTTP/1.1 101 Switching Protocols",
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Accept: s3pPLBMxbaQ9kYGzzhZRbK+xOo="));
            client.head();
            client.send(byClient);
            server.send(byServer);
            server.receive(byClient);
            client.receive(byServer);
            Peer ends = clientEnds ? client : server;
            if (isReset) {
                ends.socket().setSoLinger(true, 0);
                ends.close();
            } else {
                ends.send("last").socket().shutdownOutput();
            }
            String seen = (clientEnds ? server : client).rest();
            String reset = canReset() ? "RESET" : "";
            assertEquals(isReset ? reset : "last", seen);
        }
    }
}
