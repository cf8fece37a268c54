package io.millrace.testkit;

import static io.millrace.testkit.WebSocketContractClient.BINARY;
import static io.millrace.testkit.WebSocketContractClient.CONTINUATION;
import static io.millrace.testkit.WebSocketContractClient.FIN;
import static io.millrace.testkit.WebSocketContractClient.PING;
import static io.millrace.testkit.WebSocketContractClient.PONG;
import static io.millrace.testkit.WebSocketContractClient.TEXT;
import static io.millrace.testkit.WebSocketHarness.MOST;
import static io.millrace.testkit.WebSocketHarness.end;
import static io.millrace.testkit.WebSocketHarness.random;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.WebSocketContractClient.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages, their parts, and control frames between them, on a transport. A connection … */
interface WebSocketMessageCases {

    WebSocketHarness sockets();

    @Test
    default void agreesUponTheFirstSubprotocolThatItKnows() throws Exception {
        WebSocketContractClient client = sockets().connect();
        String head = client.ask("/echo", "Sec-WebSocket-Protocol: soap, superchat", "Sec-WebSocket-Protocol: chat");
        assertTrue(head.contains("Sec-WebSocket-Protocol: superchat\r\n"), head);
        end(client);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 128, 4_096, 65_535, 65_536, 65_537, MOST})
    default void echoesMessagesOfAnyLength(int length) throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        client.send(FIN | BINARY, random(length));
        Frame frame = client.receive();
        assertEquals(FIN | BINARY, frame.flags());
        assertArrayEquals(random(length), frame.payload());
        String text = "ä€😀z".repeat(length / 10);
        client.text(text);
        frame = client.receive();
        assertEquals(FIN | TEXT, frame.flags());
        assertEquals(text, frame.text());
        end(client);
    }

    @ParameterizedTest
    @DiffersByTransport
    @ValueSource(strings = {"/echo", "/quick", "/parts", "/streams"})
    default void echoesWhatComesInOneWrite(String path) throws Exception {
        WebSocketContractClient client = sockets().open(path);
        byte[] all = new byte[0];
        for (int i = 0; i < 1_000; i++) {
            byte[] frame = client.frame(FIN | TEXT, ("message " + i).getBytes(StandardCharsets.UTF_8));
            int end = all.length;
            all = Arrays.copyOf(all, end + frame.length);
            System.arraycopy(frame, 0, all, end, frame.length);
        }
        client.raw(all);
        for (int i = 0; i < 1_000; i++) {
            assertEquals("message " + i, message(client));
        }
        end(client);
    }

    private static String message(WebSocketContractClient client) throws IOException {
        StringBuilder all = new StringBuilder();
        Frame frame;
        do {
            frame = client.receive();
            all.append(frame.text());
        } while (!frame.isFinal());
        return all.toString();
    }

    @Test
    default void readsFramesThatComeOctetByOctet() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        byte[] frame =
                client.frame(FIN | TEXT, "octet by octet: ä€😀".repeat(10).getBytes(StandardCharsets.UTF_8));
        for (byte octet : frame) {
            client.raw(octet);
        }
        assertEquals("octet by octet: ä€😀".repeat(10), client.receive().text());
        end(client);
    }

    @Test
    default void putsFragmentsTogetherAndAnswersPingsBetweenThem() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        client.send(TEXT, new byte[] {'a', (byte) 0xc3});
        client.send(FIN | PING, new byte[] {'p'});
        Frame pong = client.receive();
        assertEquals(FIN | PONG, pong.flags());
        assertEquals("p", pong.text());
        client.send(CONTINUATION, new byte[0]);
        client.send(FIN | CONTINUATION, new byte[] {(byte) 0xa4, 'b'});
        assertEquals("aäb", client.receive().text());
        end(client);
    }

    @Test
    default void givesAndSendsPartsOfMessages() throws Exception {
        WebSocketContractClient client = sockets().open("/parts");
        byte[] text = "ä€😀".repeat(10_000).getBytes(StandardCharsets.UTF_8);
        client.send(TEXT, Arrays.copyOf(text, 20_001));
        client.send(FIN | CONTINUATION, Arrays.copyOfRange(text, 20_001, text.length));
        StringBuilder all = new StringBuilder();
        Frame frame = client.receive();
        assertEquals(TEXT, frame.opcode());
        all.append(frame.text());
        while (!frame.isFinal()) {
            frame = client.receive();
            assertEquals(CONTINUATION, frame.opcode());
            all.append(frame.text());
        }
        assertEquals("ä€😀".repeat(10_000), all.toString());
        client.send(FIN | BINARY, new byte[0]);
        assertEquals(FIN | BINARY, client.receive().flags());
        end(client);
    }

    @Test
    @DiffersByTransport
    default void isOneOfManyThatSendAtTheSameTime() throws Exception {
        WebSocketContractClient client = sockets().open("/threads");
        client.text("4 1000");
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < 4 * 1000; i++) {
            String[] words = client.receive().text().split(" ", -1);
            assertEquals(Integer.parseInt(words[1]), seen.merge(words[0], 1, Integer::sum) - 1);
        }
        assertEquals(4, seen.size());
        end(client);
    }

    @Test
    default void letsControlFramesOvertakeButNoOtherMessage() throws Exception {
        WebSocketContractClient client = sockets().open("/between");
        client.text("go");
        assertEquals("first", client.receive().text());
        assertEquals(FIN | PING, client.receive().flags());
        Frame last = client.receive();
        assertEquals(FIN | CONTINUATION, last.flags());
        assertEquals("last", last.text());
        assertEquals("other", client.receive().text());
        end(client);
    }

    @Test
    default void holdsMessagesBackWhileCorked() throws Exception {
        WebSocketContractClient client = sockets().open("/corked");
        client.text("go");
        assertEquals(FIN | PING, client.receive().flags());
        for (int i = 0; i < 10; i++) {
            assertEquals("corked " + i, client.receive().text());
        }
        end(client);
    }

    @Test
    @DiffersByTransport
    default void readsNoMoreThanItsListenerTakes() throws Exception {
        WebSocketContractClient client = sockets().open("/held");
        client.text("hold");
        assertEquals("held", client.receive().text());
        byte[] message = random(60_000);
        for (int i = 0; i < 3; i++) {
            client.send(FIN | BINARY, message);
        }
        sockets().server().release();
        for (int i = 0; i < 3; i++) {
            assertArrayEquals(message, client.receive().payload());
        }
        end(client);
    }

    @Test
    default void answersEachOfAFewPings() throws Exception {
        WebSocketContractClient client = sockets().open("/echo");
        ByteBuffer pings = ByteBuffer.allocate(200);
        for (int i = 0; i < 10; i++) {
            pings.put(client.frame(FIN | PING, new byte[] {(byte) ('0' + i)}));
        }
        client.raw(Arrays.copyOf(pings.array(), pings.position()));
        for (int i = 0; i < 10; i++) {
            assertEquals(String.valueOf(i), client.receive().text());
        }
    }

    @Test
    @DiffersByTransport
    default void answersPingsWhileItsListenerIsBusy() throws Exception {
        if (sockets().server().isBlocking(sockets().provider())) {
            return; // the connection's own thread calls the listener
        }
        WebSocketContractClient client = sockets().open("/held");
        client.text("hold");
        assertEquals("held", client.receive().text());
        client.send(FIN | PING, new byte[] {'x'});
        assertEquals("x", client.receive().text());
        sockets().server().release();
        end(client);
    }

    @Test
    @DiffersByTransport
    default void pausesAndResumes() throws Exception {
        WebSocketContractClient client = sockets().open("/paused");
        for (int i = 0; i < 100; i++) {
            client.text("message " + i);
        }
        sockets().server().awaitAndResume();
        for (int i = 0; i < 100; i++) {
            assertEquals("message " + i, client.receive().text());
        }
        end(client);
    }
}
