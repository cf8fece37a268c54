package io.millrace.connector.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.forwarded.RemoteIp;
import io.millrace.handler.Responses;
import io.millrace.net.AddressSet;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.proxyprotocol.ProxyProtocol.Presence;
import io.millrace.testkit.RawClient;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A front end of a server … */
class FrontEndOverNioTest {

    private static final AddressSet LOOPBACK = AddressSet.parse("127.0.0.0/8,::1");
    private static final String GET = "GET / HTTP/1.1\r\nHost: origin\r\nConnection: close\r\n\r\n";
    private static final String LINE = "PROXY TCP4 198.51.100.7 192.0.2.1 4711 443\r\n";
    private static final byte[] BLOCK_OVER_TLS = HexFormat.of()
            .parseHex("0d0a0d0a000d0a515549540a" + "2111" + "0014" + "c6336407c0000201126701bb" + "2000050100000000");

    @Test
    void namesTheClientByTheProxyProtocol() throws Exception {
        try (Server server = server(Presence.REQUIRED, LOOPBACK)) {
            assertEquals("198.51.100.7 http false", ask(server, LINE + GET));
            assertEquals("198.51.100.7 http false", ask(server, LINE, GET));
        }
    }

    @Test
    void saysThatTheClientCameByTls() throws Exception {
        try (Server server = server(Presence.REQUIRED, LOOPBACK);
                RawClient client = RawClient.connect(server.port())) {
            client.send(BLOCK_OVER_TLS).send(GET);
            assertEquals("198.51.100.7 https true", body(client.readTextToEnd()));
        }
    }

    @Test
    void saysNothingIfItNeedNot() throws Exception {
        try (Server server = server(Presence.OPTIONAL, LOOPBACK)) {
            assertEquals("127.0.0.1 http false", ask(server, GET));
            assertEquals("198.51.100.7 http false", ask(server, LINE + GET));
        }
    }

    @Test
    void isNotServedWithoutARequiredHeader() throws Exception {
        try (Server server = server(Presence.REQUIRED, LOOPBACK);
                RawClient client = RawClient.connect(server.port())) {
            client.send(GET).awaitClose();
        }
    }

    @Test
    void isNotServedAtAllIfNobodyTrustsIt() throws Exception {
        try (Server server = server(Presence.REQUIRED, AddressSet.parse("10.0.0.0/8"));
                RawClient client = RawClient.connect(server.port())) {
            client.awaitClose();
        }
    }

    @Test
    void sendsABadRequestIfNobodyTrustsItsHeader() throws Exception {
        try (Server server = server(Presence.OPTIONAL, AddressSet.parse("10.0.0.0/8"));
                RawClient client = RawClient.connect(server.port())) {
            String answer = client.send(LINE + GET).readTextToEnd();
            assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
        }
    }

    @Test
    void leavesEachConnectionItsOwnClient() throws Exception {
        try (Server server = server(Presence.OPTIONAL, LOOPBACK);
                RawClient first = RawClient.connect(server.port());
                RawClient second = RawClient.connect(server.port())) {
            String keep = GET.replace("Connection: close\r\n", "");
            first.send(LINE + keep).readUntil("false");
            second.send(keep).readUntil("127.0.0.1 http false");
            first.send(keep).readUntil("198.51.100.7 http false");
        }
    }

    @Test
    void namesTheClientByAField() throws Exception {
        try (Server server = Server.builder()
                        .transport(new NioTransportProvider())
                        .port(0)
                        .forwarded(RemoteIp.trusting(LOOPBACK))
                        .handler(whoAsks())
                        .start();
                RawClient client = RawClient.connect(server.port())) {
            client.send(
                    GET.replace("Host:", "X-Forwarded-For: 1.1.1.1, 203.0.113.9\r\nX-Forwarded-Proto: https\r\nHost:"));
            assertEquals("203.0.113.9 https true", body(client.readTextToEnd()));
        }
    }

    private static Server server(Presence presence, AddressSet trusted) throws Exception {
        return Server.builder()
                .transport(new NioTransportProvider())
                .connector(Connector.builder()
                        .address("127.0.0.1")
                        .port(0)
                        .with(ProxyProtocol.PRESENCE, presence)
                        .with(ProxyProtocol.TRUSTED, trusted)
                        .build())
                .handler(whoAsks())
                .start();
    }

    private static NonBlockingHandler whoAsks() {
        return FrontEndOverNioTest::answer;
    }

    private static void answer(HttpExchange exchange) {
        InetSocketAddress client = (InetSocketAddress) exchange.channel().info().remote();
        Responses.text(
                exchange,
                200,
                client.getAddress().getHostAddress() + " " + exchange.request().scheme() + " "
                        + exchange.channel().info().isSecure());
    }

    private static String ask(Server server, String... pieces) throws Exception {
        try (RawClient client = RawClient.connect(server.port())) {
            for (String piece : List.of(pieces)) {
                client.send(piece);
            }
            return body(client.readTextToEnd());
        }
    }

    private static String body(String response) {
        return response.substring(response.indexOf("\r\n\r\n") + 4);
    }
}
