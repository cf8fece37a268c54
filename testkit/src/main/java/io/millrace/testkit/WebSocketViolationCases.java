package io.millrace.testkit;

import static io.millrace.testkit.WebSocketContractClient.BINARY;
import static io.millrace.testkit.WebSocketContractClient.CONTINUATION;
import static io.millrace.testkit.WebSocketContractClient.FIN;
import static io.millrace.testkit.WebSocketContractClient.TEXT;
import static io.millrace.testkit.WebSocketHarness.MOST;
import static io.millrace.testkit.WebSocketHarness.assertCloses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Violations of the protocol and of limits. A connection … */
interface WebSocketViolationCases {

    WebSocketHarness sockets();

    @Test
    default void answersWhatCameBeforeAViolation() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        byte[] message = client.frame(FIN | TEXT, "before".getBytes(StandardCharsets.UTF_8));
        byte[] reserved = client.frame(FIN | 0xf, new byte[0]);
        client.raw(ByteBuffer.allocate(message.length + reserved.length)
                .put(message)
                .put(reserved)
                .array());
        assertEquals("before", client.receive().text());
        assertEquals(1002, client.receive().code());
        client.awaitEnd();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            1002, 81 05 68 65 6c 6c 6f
            1002, c1 80 00 00 00 00
            1002, a1 80 00 00 00 00
            1002, 91 80 00 00 00 00
            1002, 83 80 00 00 00 00
            1002, 8b 80 00 00 00 00
            1002, 8f
            1002, 80 80 00 00 00 00
            1002, 00 80 00 00 00 00
            1002, 01 80 00 00 00 00 81 80 00 00 00 00
            1002, 09 80 00 00 00 00
            1002, 89 fe 00 7e
            1002, 88 81 00 00 00 00 00
            1002, 88 82 00 00 00 00 03 ed
            1002, 88 82 00 00 00 00 03 ee
            1002, 88 82 00 00 00 00 03 e7
            1002, 88 82 00 00 00 00 13 88
            1002, 88 82 00 00 00 00 00 00
            1007, 88 83 00 00 00 00 03 e8 ff
            1002, 81 fe 00 7d
            1002, 81 ff 00 00 00 00 00 00 ff ff
            1002, 81 ff 80 00 00 00 00 00 00 00
            1009, 81 ff 00 00 00 00 00 03 0d 41 00 00 00 00
            1007, 81 85 00 00 00 00 c0
            1007, 81 85 00 00 00 00 ed a0
            1007, 81 85 00 00 00 00 f4 90
            1007, 81 85 00 00 00 00 61 80
            1007, 01 81 00 00 00 00 c3 80 81 00 00 00 00 61
            1007, 81 81 00 00 00 00 c3
            """)
    default void endsWith(int code, String bytes) throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        for (String octet : bytes.strip().split(" ", -1)) {
            client.raw((byte) Integer.parseInt(octet, 16));
        }
        assertCloses(code, client);
        assertEquals(code, sockets().server().closed().code());
        client.checkNothingHeld();
    }

    @Test
    default void endsMessagesOfTooManyFrames() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        client.send(TEXT, new byte[0]);
        byte[] empty = client.frame(CONTINUATION, new byte[0]);
        byte[] all = new byte[1_000 * empty.length];
        for (int i = 0; i < 1_000; i++) {
            System.arraycopy(empty, 0, all, i * empty.length, empty.length);
        }
        client.raw(all);
        assertCloses(1008, client);
    }

    @Test
    default void endsForALimitOfWholeMessagesOverManyFrames() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        client.send(BINARY, new byte[MOST]);
        client.send(FIN | CONTINUATION, new byte[1]);
        assertCloses(1009, client);
    }
}
