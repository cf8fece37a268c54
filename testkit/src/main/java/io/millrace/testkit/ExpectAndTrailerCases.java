package io.millrace.testkit;

import static io.millrace.testkit.ProtocolEndContract.ask;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * For tests of a protocol (subclasses of {@link ProtocolContract}) with interim responses and trailers: a client can wait for a 100
 * response before it sends a body, and send trailers after it.
 */
public interface ExpectAndTrailerCases {

    /** A client on a new connection. */
    ContractClient connect() throws Exception;

    @Test
    default void tellsTheFieldsAfterABody() throws Exception {
        ContractClient client = connect();
        ContractRequest request = ContractRequest.of("POST", "/trailers")
                .withBody(Patterns.bytes(2500, 1), false)
                .withTrailer("Digest", "abc")
                .withTrailer("Other", "d");
        assertEquals(
                "digest=abc.other=d.", ask(client, request).text().toLowerCase(Locale.ROOT)); // as names are in HTTP/2
        assertEquals(
                "hello null", ask(client, ContractRequest.of("GET", "/hello")).text());
    }

    @Test
    default void letsTheClientSendItsBodyWhenItIsRead() throws Exception {
        ContractClient client = connect();
        ContractRequest request = ContractRequest.of("POST", "/echo")
                .withBody(Patterns.bytes(3000, 2), true)
                .expectingContinue();
        client.send(request);
        assertEquals(100, client.receiveInterim());
        client.sendBody(request);
        assertArrayEquals(request.body(), client.receive().body());
        assertEquals(
                "hello null", ask(client, ContractRequest.of("GET", "/hello")).text());
    }

    @Test
    default void doesNotLetItSendABodyThatIsNotRead() throws Exception {
        ContractClient client = connect();
        client.send(ContractRequest.of("POST", "/early")
                .withBody(Patterns.bytes(3000, 2), true)
                .expectingContinue());
        ContractResponse response = client.receive();
        assertEquals(403, response.status());
        assertEquals(List.of(), response.interim());
    }

    @Test
    default void sendsInterimResponses() throws Exception {
        ContractResponse response = ask(connect(), ContractRequest.of("GET", "/early-hints"));
        assertEquals(List.of(103), response.interim());
        assertEquals("hinted", response.text());
    }
}
