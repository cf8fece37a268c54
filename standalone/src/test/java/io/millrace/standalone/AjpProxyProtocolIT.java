package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.testkit.AjpContractClient;
import io.millrace.testkit.ContractClient;
import io.millrace.testkit.ContractRequest;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.SocketLink;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An AJP port that takes the PROXY protocol: a header names the front end, and each packet the client, … */
@NeedsConnector("ajp")
@NullUnmarked
final class AjpProxyProtocolIT {

    private static final ContractRequest WHERE = ContractRequest.of("GET", "/where");

    @TempDir
    private static Path base;

    private static ProbeServer server;

    @BeforeAll
    static void start() throws Exception {
        String connectors = HttpdFronts.onEachTransport(Snippets.of("behind-httpd.md"))
                .replace("/>", "proxyProtocol='required' proxyProtocolTrusted='127.0.0.0/8' />");
        server = ProbeServer.serving(base, connectors + "<Connector port='0' address='127.0.0.1'/>");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<String> transports() {
        return AllTransports.TRANSPORTS.stream();
    }

    @ParameterizedTest
    @MethodSource("transports")
    void knowsTheClientThatThePacketTellsOf(String transport) throws Exception {
        for (byte[] header : List.of(ProxyProtocolIT.LINE, ProxyProtocolIT.BLOCK)) {
            try (RawClient socket = RawClient.connect(port(transport)).send(header)) {
                ContractClient client = client(socket, "change-me");
                assertServed(client);
                assertServed(client);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void servesAFrontEndThatComesByHaproxy(String transport) throws Exception {
        for (String version : List.of("send-proxy", "send-proxy-v2")) {
            try (Haproxy haproxy = Haproxy.before(port(transport), "", version, base);
                    RawClient socket = RawClient.connect(haproxy.port())) {
                assertServed(client(socket, "change-me"));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void closesAConnectionWithoutItsHeader(String transport) throws Exception {
        try (RawClient socket = RawClient.connect(port(transport))) {
            ContractClient client = client(socket, "change-me");
            client.send(WHERE);
            assertTrue(client.awaitEnd());
        }
        server.product().awaitLine("MILLRACE0781");
    }

    /** It is not the balancer between the two that has the wrong secret. */
    @ParameterizedTest
    @MethodSource("transports")
    void namesTheFrontEndOfTheHeaderWhereItComplains(String transport) throws Exception {
        try (RawClient socket = RawClient.connect(port(transport)).send(ProxyProtocolIT.LINE)) {
            ContractClient client = client(socket, "wrong");
            client.send(WHERE);
            assertEquals(403, client.receive().status());
        }
        String line = server.product().awaitLine("MILLRACE5201");
        assertTrue(line.contains("198.51.100.7"), line);
    }

    private static void assertServed(ContractClient client) throws Exception {
        client.send(WHERE);
        String answer = client.receive().text();
        assertTrue(answer.contains("remote 192.0.2.7 0\n"), answer);
        assertTrue(answer.contains("scheme http false"), answer);
    }

    private static ContractClient client(RawClient socket, String secret) {
        return new AjpContractClient(new SocketLink(socket, new BufferPool(1 << 20)), secret, 8192);
    }

    private static int port(String transport) {
        return HttpdFronts.ajpPort(server, AllTransports.TRANSPORTS.indexOf(transport));
    }
}
