package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.ProxiedPair.Call;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.Deadline;
import io.millrace.tls.TlsImplementation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The proxy between a client of each protocol and a backend of each, plain and with TLS on both sides, but for those of AJP, which has
 * none. It …
 */
@ParameterizedClass(name = "{0} to {1}, TLS {2}")
@MethodSource("pairs")
@Timeout(120)
final class ProxyPairsTest {

    private static final Set<String> WITH_TRAILERS = Set.of("http", "h2c", "spdy");
    private static final Set<String> WITH_INTERIM = Set.of("http", "h2c");

    private static final Set<String> WITH_RESETS = Set.of("h2c", "spdy");

    @Parameter(0)
    private String client = "";

    @Parameter(1)
    private String server = "";

    /** Whose TLS the proxy has; null for none. */
    @Parameter(2)
    private @Nullable TlsImplementation tls;

    private ProxiedPair pair;

    /** Every pair without TLS; with TLS, each protocol to itself, and HTTP/1.1 and HTTP/2 to each other. */
    static List<Arguments> pairs() {
        List<Arguments> all = new ArrayList<>();
        for (String client : ProxiedPair.schemes()) {
            for (String server : ProxiedPair.schemes()) {
                all.add(Arguments.of(client, server, null));
                boolean chosen = client.equals(server) || WITH_INTERIM.containsAll(List.of(client, server));
                if (chosen && ProxiedPair.canBeSecured(client, server)) {
                    all.add(Arguments.of(client, server, TlsImplementation.JSSE));
                }
            }
        }
        if (ProxiedPair.schemes().contains("h2c") && Connectors.contain("openssl")) {
            all.add(Arguments.of("h2c", "h2c", TlsImplementation.OPENSSL));
        }
        return all;
    }

    @BeforeEach
    void start() throws IOException {
        pair = new ProxiedPair(client, server, tls);
    }

    @AfterEach
    void stop() throws Exception {
        pair.close();
    }

    private boolean both(Set<String> able) {
        return able.contains(client) && able.contains(server);
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    @Test
    void passesResponsesWithAndWithoutBodies() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertEquals("hello x=y", pair.ask("GET", "/hello?x=y").await().text());
            Call head = pair.ask("HEAD", "/fixed?1000").await();
            assertEquals(1000, head.head().contentLength());
            assertEquals("", head.text());
            assertEquals(204, pair.ask("GET", "/nothing").await().status());
            assertEquals(205, pair.ask("GET", "/reset").await().status());
            Call error = pair.ask("GET", "/error").await();
            assertEquals("500 failed", error.status() + " " + error.text());
            Call named = new Call("GET", "/header", new byte[0], true).with("X-Large", "x".repeat(2000));
            assertEquals(2000, pair.ask(named).await().text().length());
            Call large = pair.ask("GET", "/headers?4000").await();
            assertEquals(
                    4000, String.valueOf(large.head().headers().get("X-Large")).length());
            assertEquals("/a b", pair.ask("DELETE", "/a%20b").await().text());
        }
    }

    /**
     * A request without a body is over for both when its response is. The connection is free when its last write was reported as well, by
     * another thread: if that is slow, the next request finds the connection in use, once.
     */
    @Test
    void usesConnectionsAgain() throws Exception {
        for (int i = 0; i < 40; i++) {
            assertEquals("hello null", pair.ask("GET", "/hello").await().text());
            assertEquals("0", pair.ask("POST", "/length").await().text());
        }
        assertTrue(pair.connections() <= 2, () -> pair.connections() + " connections");
    }

    @ParameterizedTest
    @CsvSource({"0, true", "0, false", "1, true", "1, false", "40000, true", "40000, false", "1000000, true"})
    void passesBodies(int size, boolean lengthKnown) throws Exception {
        byte[] body = bytes(size);
        assertEquals(
                Integer.toString(size),
                pair.ask(new Call("POST", "/length", body, lengthKnown)).await().text());
        assertArrayEquals(
                body,
                pair.ask(new Call("POST", "/echo", body, lengthKnown)).await().body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stream?1", "/stream?1000000", "/fixed?1000000"})
    void passesLongResponses(String target) throws Exception {
        Call call = pair.ask("GET", target).await();
        assertTrue(call.isComplete());
        assertEquals(Integer.parseInt(target.substring(target.indexOf('?') + 1)), call.body().length);
    }

    @Test
    void passesManyAtATime() throws Exception {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            calls.add(pair.ask(new Call("POST", "/echo", bytes(i * 100), i % 2 == 0)));
        }
        for (int i = 0; i < calls.size(); i++) {
            assertArrayEquals(bytes(i * 100), calls.get(i).await().body());
        }
    }

    @Test
    void passesTheTrailersOfARequestWhereBothHaveThem() throws Exception {
        Call call = new Call("POST", "/trailers", bytes(1000), false).withTrailer("X-Sum", "6");
        assertEquals(
                both(WITH_TRAILERS) ? "x-sum=6." : "",
                pair.ask(call).await().text().toLowerCase(Locale.ROOT));
    }

    @Test
    void passesInterimResponsesWhereBothHaveThem() throws Exception {
        Call call = pair.ask("GET", "/early-hints").await();
        assertEquals("hinted", call.text());
        assertEquals(both(WITH_INTERIM) ? List.of(103) : List.of(), call.interim());
    }

    @Test
    void passesAResponseThatComesBeforeTheBody() throws Exception {
        Call early = pair.ask(new Call("POST", "/early", bytes(200_000), true));
        early.awaitHead();
        assertEquals(403, early.status());
        assertEquals("hello null", pair.ask("GET", "/hello").await().text());
    }

    @Test
    void cutsAResponseThatTheBackendCuts() throws Exception {
        assertFalse(pair.ask("GET", "/cut").await().isComplete());
        assertEquals("hello null", pair.ask("GET", "/hello").await().text());
    }

    /** An end of the connection is half of one to HTTP/1.1: its server goes on, until it finds nobody to write to. */
    @Test
    void endsTheRequestOfAClientThatGoes() throws Exception {
        Call call = pair.ask("GET", "/late?0");
        pair.backend().awaitDeferred();
        Deadline.await("the request to be sent", call::isStarted);
        call.abort();
        if (WITH_RESETS.contains(client) && !server.equals("http")) {
            Deadline.await("the backend to learn of it", () -> pair.backend().failure() != null);
        }
        pair.backend().runLater();
        assertEquals("hello null", pair.ask("GET", "/hello").await().text());
        Deadline.await(
                "the request to be over",
                () -> pair.application().status().get(0).running() == 0);
    }
}
