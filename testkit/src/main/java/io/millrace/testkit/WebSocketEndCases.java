package io.millrace.testkit;

import static io.millrace.testkit.WebSocketContractClient.CLOSE;
import static io.millrace.testkit.WebSocketContractClient.FIN;
import static io.millrace.testkit.WebSocketContractClient.PING;
import static io.millrace.testkit.WebSocketContractClient.PONG;
import static io.millrace.testkit.WebSocketContractClient.TEXT;
import static io.millrace.testkit.WebSocketHarness.SMALL_WINDOW;
import static io.millrace.testkit.WebSocketHarness.TIMERS;
import static io.millrace.testkit.WebSocketHarness.assertCloses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.WebSocketContractClient.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections end, normally or not. A connection … */
interface WebSocketEndCases {

    WebSocketHarness sockets();

    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1003, 1007, 1011, 1012, 1014, 3000, 3999, 4000, 4999})
    default void answersACloseFrameWithItsCode(int code) throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        client.close(code);
        assertCloses(code, client);
        assertEquals(code, sockets().server().closed().code());
        client.checkNothingHeld();
    }

    @Test
    default void answersACloseFrameWithoutCode() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        client.send(FIN | CLOSE, new byte[0]);
        assertCloses(1005, client);
        assertEquals(1005, sockets().server().closed().code());
    }

    /** RFC 6455, 5.5.1: the answer to a close frame may be delayed until messages have been sent. */
    @Test
    @DiffersByTransport
    default void answersMessagesBeforeACloseFrame() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        client.raw(withMessages(client, client.frame(FIN | CLOSE, new byte[] {3, (byte) 0xe8})));
        receiveMessages(client);
        assertEquals(1000, client.receive().code());
        client.awaitEnd();
        assertEquals(1000, sockets().server().closed().code());
    }

    @Test
    @DiffersByTransport
    default void answersMessagesBeforeAnEndWithoutCloseFrame() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        client.raw(withMessages(client, new byte[0]));
        client.finish();
        receiveMessages(client);
        client.awaitEnd();
        assertEquals(1006, sockets().server().closed().code());
    }

    private static byte[] withMessages(WebSocketContractClient client, byte[] end) {
        ByteBuffer all = ByteBuffer.allocate(1000);
        for (int i = 0; i < 20; i++) {
            all.put(client.frame(FIN | TEXT, new byte[] {(byte) ('a' + i)}));
        }
        all.put(end).flip();
        byte[] bytes = new byte[all.remaining()];
        all.get(bytes);
        return bytes;
    }

    private static void receiveMessages(WebSocketContractClient client) throws IOException {
        for (int i = 0; i < 20; i++) {
            assertEquals(String.valueOf((char) ('a' + i)), client.receive().text());
        }
    }

    @Test
    default void closesAndWaitsForTheAnswer() throws Exception {
        WebSocketContractClient client = sockets().open("/close");
        client.text("go");
        assertEquals("bye", client.receive().text());
        Frame close = client.receive();
        assertEquals(4321, close.code());
        client.text("still under way");
        client.close(4321);
        client.awaitEnd();
        assertEquals(4321, sockets().server().closed().code());
    }

    @Test
    default void closesWhenItsListenerThrows() throws Exception {
        WebSocketContractClient client = sockets().open("/throw");
        client.text("go");
        assertEquals(1011, client.receive().code());
        client.close(1011);
        client.awaitEnd();
        assertEquals("thrown by the test", sockets().server().error().getMessage());
        assertEquals(1011, sockets().server().closed().code());
    }

    @Test
    @DiffersByTransport
    default void reportsThatThePeerIsGone() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        client.text("x");
        client.receive();
        client.breakOff();
        assertEquals(1006, sockets().server().closed().code());
        assertTrue(sockets().server().error() instanceof IOException);
        client.checkNothingHeld();
    }

    @Test
    @DiffersByTransport
    default void reportsAnEndWithoutCloseFrame() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        client.send(TEXT, new byte[] {'x'});
        client.finish();
        assertEquals(1006, sockets().server().closed().code());
        client.awaitEnd();
    }

    @Test
    @DiffersByTransport
    default void goesAwayWhenTheServerStops() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        client.text("x");
        client.receive();
        var stopped = sockets().stop(Duration.ofSeconds(60));
        assertEquals(1001, client.receive().code());
        client.close(1001);
        client.awaitEnd();
        client.finish(); // otherwise the server waits until the client has read its output
        Deadline.await(stopped);
        assertEquals(1001, sockets().server().closed().code());
    }

    @Test
    default void closesWhenNothingWasSentOrReceived() throws Exception {
        WebSocketContractClient client = sockets().open("/idle");
        assertEquals(1001, client.receive().code());
        client.close(1001);
        client.awaitEnd();
    }

    @Test
    @DiffersByTransport
    default void pingsASilentPeerAndDisconnectsIt() throws Exception {
        WebSocketContractClient client = sockets().open("/pinging");
        Frame ping = client.receive();
        assertEquals(FIN | PING, ping.flags());
        client.send(FIN | PONG, ping.payload());
        assertEquals(FIN | PING, client.receive().flags());
        client.awaitEnd();
        assertEquals(1006, sockets().server().closed().code());
    }

    @Test
    default void disconnectsAPeerThatDoesNotAnswerItsCloseFrame() throws Exception {
        WebSocketContractClient client = sockets().open("/unanswered");
        client.text("go");
        assertEquals(1000, client.receive().code());
        client.awaitEnd();
        assertEquals(1000, sockets().server().closed().code());
        assertFalse(sockets().server().closedBy().startsWith(TIMERS), "a listener may block, and the timers must not");
    }

    @Test
    @DiffersByTransport
    default void disconnectsAPeerThatDoesNotRead() throws Exception {
        WebSocketContractClient client = WebSocketHarness.open(sockets().connect(SMALL_WINDOW), "/flood");
        client.text("go");
        assertEquals(1006, sockets().server().closed().code());
        boolean waits = sockets().server().isBlocking(sockets().provider());
        assertTrue(waits || sockets().server().refused() > 0, "sends were refused before");
        client.breakOff();
        client.checkNothingHeld();
    }

    /** Both peers close at any moment, while messages are sent: each connection ends once, and holds no buffer. */
    @Test
    @DiffersByTransport
    default void survivesClosesFromBothEnds() throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            WebSocketContractClient client = sockets().open("/racing");
            client.text("go");
            if (round % 3 == 0) {
                client.close(1000);
            } else if (round % 3 == 1) {
                client.breakOff();
            }
            drainUntilClosed(client, round % 3 == 2);
            sockets().server().closed();
            assertFalse(sockets().server().hasClosedAgain());
        }
    }

    private static void drainUntilClosed(WebSocketContractClient client, boolean answers) {
        try {
            while (true) {
                if (client.receive().opcode() == CLOSE && answers) {
                    client.close(1000);
                }
            }
        } catch (IOException | RuntimeException ended) {
            // closed by the server or the client
        }
    }
}
