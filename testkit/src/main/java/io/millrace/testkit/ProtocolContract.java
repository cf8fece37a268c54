package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.protocol.HttpStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How every protocol handles requests and responses, as {@link io.millrace.protocol.HttpStream} specifies it. The test
 * of a protocol over some connection inherits this class and connects clients.
 */
public abstract class ProtocolContract extends ProtocolEndContract {

    @Test
    void answersGet() throws Exception {
        ContractClient client = connect();
        ContractResponse response = ask(client, ContractRequest.of("GET", "/hello?x=y"));
        assertEquals(200, response.status());
        assertEquals("hello x=y", response.text());
        client.checkNothingHeld();
    }

    @Test
    void keepsNothingOfARequestThatHasEnded() throws Exception {
        ContractClient client = connect();
        assertEquals(
                "hello 1", ask(client, ContractRequest.of("GET", "/hello?1")).text());
        WeakReference<HttpStream> ended = server().last();
        Deadline.await("the stream of an idle connection's last request to be garbage", () -> {
            System.gc();
            return ended.get() == null;
        });
        assertEquals(
                "hello 2", ask(client, ContractRequest.of("GET", "/hello?2")).text());
    }

    @Test
    void answersHeadWithoutABody() throws Exception {
        ContractClient client = connect();
        ContractResponse response = ask(client, ContractRequest.of("HEAD", "/fixed?1000"));
        assertEquals(200, response.status());
        assertEquals(0, response.body().length);
        assertEquals("1000", response.headers().get("Content-Length"));
        assertEquals(
                "hello null", ask(client, ContractRequest.of("GET", "/hello")).text());
    }

    @Test
    void answersWithoutContent() throws Exception {
        ContractClient client = connect();
        ContractResponse response = ask(client, ContractRequest.of("GET", "/nothing"));
        assertEquals(204, response.status());
        assertEquals(0, response.body().length);
        assertEquals(
                "hello null", ask(client, ContractRequest.of("GET", "/hello")).text());
    }

    @ParameterizedTest
    @CsvSource({"0, true", "0, false", "1, true", "1, false", "5000, true", "5000, false", "40000, true", "40000, false"
    })
    void echoesABody(int size, boolean lengthKnown) throws Exception {
        ContractClient client = connect();
        byte[] body = Patterns.bytes(size, size);
        for (int i = 0; i < 2; i++) {
            ContractRequest request = ContractRequest.of("POST", "/echo").withBody(body, lengthKnown);
            assertArrayEquals(body, ask(client, request).body());
        }
        client.checkNothingHeld();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DiffersByTransport
    void readsALargeBody(boolean lengthKnown) throws Exception {
        ContractClient client = connect();
        byte[] body = Patterns.bytes(large(), 7);
        ContractRequest request = ContractRequest.of("POST", "/length").withBody(body, lengthKnown);
        assertEquals(Integer.toString(large()), ask(client, request).text());
        client.checkNothingHeld();
    }

    @ParameterizedTest
    @CsvSource({"/stream, 1", "/stream, 20000", "/fixed, 1", "/fixed, 20000"})
    void streamsAResponse(String path, int size) throws Exception {
        ContractClient client = connect();
        ContractResponse response = ask(client, ContractRequest.of("GET", path + "?" + size));
        assertStreamed(size, response);
        assertEquals(
                "hello null", ask(client, ContractRequest.of("GET", "/hello")).text());
        client.checkNothingHeld();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stream", "/fixed"})
    @DiffersByTransport
    void streamsALargeResponseToASlowReader(String path) throws Exception {
        ContractClient client = connect();
        if (canPause()) {
            client.pause();
        }
        assertStreamed(large(), ask(client, ContractRequest.of("GET", path + "?" + large())));
        assertEquals(
                "hello null", ask(client, ContractRequest.of("GET", "/hello")).text());
    }

    @Test
    @DiffersByTransport
    void answersLater() throws Exception {
        ContractClient client = connect();
        client.send(ContractRequest.of("GET", "/late?1"));
        server().runLater();
        assertEquals("late 1", client.receive().text());
        client.send(ContractRequest.of("GET", "/hello?2"));
        assertEquals("hello 2", client.receive().text());
        client.checkNothingHeld();
    }

    @Test
    void answersInTheOrderOfTheRequests() throws Exception {
        ContractClient client = connect();
        for (int i = 0; i < 200; i++) {
            client.send(ContractRequest.of("GET", (i % 7 == 3 ? "/late?" : "/hello?") + i));
            if (i % 7 == 3) {
                server().runLater();
            }
        }
        assertAnswersInOrder(client);
    }

    @Test
    @DiffersByTransport
    void answersInTheOrderOfRequestsThatCameTogether() throws Exception {
        ContractClient client = connect();
        List<ContractRequest> requests = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            requests.add(ContractRequest.of("GET", (i % 7 == 3 ? "/late?" : "/hello?") + i));
        }
        client.sendAll(requests);
        for (int i = 3; i < 200; i += 7) {
            server().runLater();
        }
        assertAnswersInOrder(client);
    }

    @Test
    void keepsBodiesOfSeveralRequestsApart() throws Exception {
        ContractClient client = connect();
        List<ContractRequest> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] body = Patterns.bytes(i * 97, i);
            requests.add(ContractRequest.of("POST", "/echo").withBody(body, i % 2 == 0));
        }
        client.sendAll(requests);
        for (int i = 0; i < 20; i++) {
            assertArrayEquals(Patterns.bytes(i * 97, i), client.receive().body());
        }
        client.checkNothingHeld();
    }

    @Test
    void takesAndSendsLargeHeaders() throws Exception {
        ContractClient client = connect();
        String value = "v".repeat(6000);
        assertEquals(
                value,
                ask(client, ContractRequest.of("GET", "/header").with("X-Large", value))
                        .text());
        ContractResponse response = ask(client, ContractRequest.of("GET", "/headers?7000"));
        assertEquals("x".repeat(7000), response.headers().get("X-Large"));
        assertEquals("large", response.text());
    }

    @Test
    void answersBeforeTheBodyIsRead() throws Exception {
        ContractClient client = connect();
        ContractRequest request = ContractRequest.of("POST", "/early").withBody(Patterns.bytes(30_000, 3), true);
        assertEquals("not read", ask(client, request).text());
        if (isPersistent()) {
            assertEquals(
                    "hello null",
                    ask(client, ContractRequest.of("GET", "/hello")).text());
        }
        client.checkNothingHeld();
    }

    @Test
    void answersErrorsAndGoesOn() throws Exception {
        ContractClient client = connect();
        assertEquals(500, ask(client, ContractRequest.of("GET", "/error")).status());
        assertEquals(404, ask(client, ContractRequest.of("GET", "/missing")).status());
        assertEquals(
                "hello null", ask(client, ContractRequest.of("GET", "/hello")).text());
    }

    /** RFC 9110, 15.3.6. */
    @Test
    void sendsNoBodyWithResetContent() throws Exception {
        ContractClient client = connect();
        ContractResponse response = ask(client, ContractRequest.of("GET", "/reset"));
        assertEquals(205, response.status());
        assertEquals(0, response.body().length);
        assertEquals(
                "hello null", ask(client, ContractRequest.of("GET", "/hello")).text());
    }

    @Test
    void keepsWhatComesWhileARequestWaits() throws Exception {
        ContractClient client = connect();
        client.send(ContractRequest.of("POST", "/late?1").withBody(Patterns.bytes(2000, 9), true));
        server().awaitDeferred();
        client.send(ContractRequest.of("POST", "/echo").withBody(Patterns.bytes(large() / 4, 4), true));
        client.send(ContractRequest.of("GET", "/late?2"));
        server().runLater();
        assertEquals("late 1", client.receive().text());
        assertArrayEquals(Patterns.bytes(large() / 4, 4), client.receive().body());
        server().runLater();
        assertEquals("late 2", client.receive().text());
        client.send(ContractRequest.of("GET", "/hello?3"));
        assertEquals("hello 3", client.receive().text());
        client.checkNothingHeld();
    }

    private static void assertAnswersInOrder(ContractClient client) throws Exception {
        for (int i = 0; i < 200; i++) {
            assertEquals((i % 7 == 3 ? "late " : "hello ") + i, client.receive().text());
        }
        client.checkNothingHeld();
    }
}
