package io.millrace.testkit;

import static io.millrace.testkit.ProtocolEndContract.assertStreamed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * For tests of a protocol (subclasses of {@link ProtocolContract}) in which a client that has ended its output still receives
 * responses, however long it waits.
 */
public interface EarlyFinishCases {

    /** The server of {@link #connect}. */
    ContractServer server();

    /** A client on a new connection. */
    ContractClient connect() throws Exception;

    @Test
    @DiffersByTransport
    default void answersAllThatCameTogetherWithTheClientsEnd() throws Exception {
        ContractClient client = connect();
        client.sendAll(List.of(
                ContractRequest.of("GET", "/late?1"),
                ContractRequest.of("GET", "/hello?2"),
                ContractRequest.of("GET", "/stream?50000")));
        client.finish();
        server().runLater();
        assertEquals("late 1", client.receive().text());
        assertEquals("hello 2", client.receive().text());
        assertStreamed(50_000, client.receive());
        assertTrue(client.awaitEnd());
        client.checkNothingHeld();
    }

    @Test
    default void answersAfterTheClientHasFinished() throws Exception {
        ContractClient client = connect();
        client.send(ContractRequest.of("POST", "/echo").withBody(Patterns.bytes(2000, 4), true));
        client.send(ContractRequest.of("GET", "/late?half"));
        client.finish();
        server().runLater();
        assertArrayEquals(Patterns.bytes(2000, 4), client.receive().body());
        assertEquals("late half", client.receive().text());
        assertTrue(client.awaitEnd());
        client.checkNothingHeld();
    }
}
