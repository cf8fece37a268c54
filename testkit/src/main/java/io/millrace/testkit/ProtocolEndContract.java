package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.ResponseHead;
import io.millrace.io.Payload;
import io.millrace.protocol.Dispatcher;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How exchanges and connections end on every protocol: the client half-closes or disconnects, or the server fails. The part of
 * {@link ProtocolContract} with what a protocol's test has to provide.
 */
@Timeout(120)
public abstract class ProtocolEndContract {

    ProtocolEndContract() {}

    private final ContractServer server = new ContractServer();

    /** A client on a new connection, whose requests go to this dispatcher. */
    protected abstract ContractClient connect(Dispatcher dispatcher) throws Exception;

    /** The size of large bodies in bytes; smaller where every byte is slow. */
    protected int large() {
        return 5 * 1024 * 1024;
    }

    /** Whether the protocol can carry several requests on a connection. */
    protected boolean isPersistent() {
        return true;
    }

    /** Whether the client can pause responses by not receiving. */
    protected boolean canPause() {
        return true;
    }

    /** The server. */
    public final ContractServer server() {
        return server;
    }

    /** A client on a new connection. */
    public final ContractClient connect() throws Exception {
        return connect(server);
    }

    /** A client on a new connection to this server. */
    public final ContractClient clientOf(Dispatcher dispatcher) throws Exception {
        return connect(dispatcher);
    }

    static Stream<Throwable> failures() {
        return Failures.all();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void endsOneConnectionWhoseRequestThrows(Throwable thrown) throws Exception {
        Dispatcher failing = (request, stream) -> {
            if (request.path().decoded().equals("/throw")) {
                Failures.sneak(thrown);
            }
            server.dispatch(request, stream);
        };
        ContractClient client = connect(failing);
        ask(client, ContractRequest.of("GET", "/hello"));
        client.send(ContractRequest.of("GET", "/throw"));
        assertTrue(client.awaitEnd());
        client.checkNothingHeld();
        assertEquals(
                "hello null",
                ask(connect(failing), ContractRequest.of("GET", "/hello")).text());
    }

    @ParameterizedTest
    @MethodSource("failures")
    void endsOneConnectionWhoseRequestThrowsWhenItIsSent(Throwable thrown) throws Exception {
        ContractClient client = connect((request, stream) ->
                stream.send(new ResponseHead(), Payload.NOTHING, true, failed -> Failures.sneak(thrown)));
        client.sendAll(List.of(ContractRequest.of("GET", "/1"), ContractRequest.of("GET", "/2")));
        boolean ended = false;
        while (!ended) { // the response may have been sent before
            ended = client.awaitEnd();
        }
        client.checkNothingHeld();
    }

    @Test
    @DiffersByTransport
    void letsTheClientSeeThatAResponseWasCutOff() throws Exception {
        ContractClient client = connect();
        ContractResponse response = ask(client, ContractRequest.of("GET", "/cut"));
        assertFalse(response.complete());
        assertTrue(response.text().length() <= 4);
    }

    @Test
    @DiffersByTransport
    void endsWithAnIdleClient() throws Exception {
        ContractClient client = connect();
        ask(client, ContractRequest.of("GET", "/hello"));
        client.finish();
        assertTrue(client.awaitEnd());
        client.checkNothingHeld();
    }

    @Test
    @DiffersByTransport
    void tellsWhoReadsABodyThatTheClientHasGone() throws Exception {
        ContractClient client = connect();
        ContractRequest request = ContractRequest.of("POST", "/echo")
                .withBody(Patterns.bytes(3000, 5), true)
                .expectingContinue();
        client.send(request);
        if (this instanceof ExpectAndTrailerCases) {
            client.receiveInterim();
        }
        client.breakOff();
        Deadline.await("the reader of the body to be notified", () -> server.failure() != null);
        client.checkNothingHeld();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DiffersByTransport
    void tellsWhoDoesNeitherReadNorWriteThatTheClientHasGone(boolean withABody) throws Exception {
        ContractClient client = connect();
        ContractRequest request = ContractRequest.of(withABody ? "POST" : "GET", "/late");
        client.send(withABody ? request.withBody(Patterns.bytes(3000, 8), true) : request);
        server.awaitDeferred();
        client.breakOff();
        Deadline.await("the request to be notified", () -> server.failure() != null);
        client.checkNothingHeld();
    }

    @Test
    @DiffersByTransport
    void givesEverythingBackWhenTheClientGoesInTheMiddleOfAResponse() throws Exception {
        ContractClient client = connect();
        if (canPause()) {
            client.pause();
        }
        client.send(ContractRequest.of("GET", "/stream?" + large()));
        client.breakOff();
        client.checkNothingHeld();
    }

    /** The table in docs/design/ends.md, for this protocol and this link. */
    @TestFactory
    @DiffersByTransport
    Stream<DynamicTest> endsAsTheTableSays() throws Exception {
        boolean secured = connect().link() instanceof TlsLink;
        return EndsTable.rows().stream()
                .filter(row -> secured || !row.isOfTls())
                .map(row -> DynamicTest.dynamicTest(
                        row.state() + ": " + row.end(), () -> row.check(this::connect, large())));
    }

    static ContractResponse ask(ContractClient client, ContractRequest request) throws Exception {
        client.send(request);
        return client.receive();
    }

    static void assertStreamed(int size, ContractResponse response) {
        byte[] expected = new byte[size];
        for (int i = 0; i < size; i++) {
            expected[i] = ContractStream.expected(i);
        }
        assertTrue(response.complete());
        assertTrue(Arrays.equals(expected, response.body()), "the body differs");
    }
}
