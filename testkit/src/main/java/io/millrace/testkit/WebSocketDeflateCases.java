package io.millrace.testkit;

import static io.millrace.testkit.WebSocketContractClient.BINARY;
import static io.millrace.testkit.WebSocketContractClient.CONTINUATION;
import static io.millrace.testkit.WebSocketContractClient.FIN;
import static io.millrace.testkit.WebSocketContractClient.RSV1;
import static io.millrace.testkit.WebSocketContractClient.TEXT;
import static io.millrace.testkit.WebSocketHarness.assertCloses;
import static io.millrace.testkit.WebSocketHarness.end;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.WebSocketContractClient.Frame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** permessage-deflate (RFC 7692) on a transport. A connection … */
interface WebSocketDeflateCases {

    WebSocketHarness sockets();

    @ParameterizedTest
    @ValueSource(strings = {"/echo", "/takeover"})
    default void compresses(String path) throws Exception {
        WebSocketContractClient client = sockets().connect();
        String head = client.ask(path, "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits");
        assertTrue(head.contains("Sec-WebSocket-Extensions: permessage-deflate"), head);
        assertEquals(path.equals("/echo"), head.contains("no_context_takeover"), head);
        String text = "compressible ä ".repeat(1_000);
        client.send(FIN | RSV1 | TEXT, WebSocketContractClient.deflated(text.getBytes(StandardCharsets.UTF_8)));
        Frame frame = client.receive();
        assertEquals(FIN | RSV1 | TEXT, frame.flags());
        assertEquals(text, new String(frame.inflated(), StandardCharsets.UTF_8));
        client.text("short");
        frame = client.receive();
        assertEquals(FIN | TEXT, frame.flags());
        assertEquals("short", frame.text());
        end(client);
    }

    @Test
    default void decompressesFragmentsAndFinalBlocks() throws Exception {
        WebSocketContractClient client = sockets().open("/echo", "Sec-WebSocket-Extensions: permessage-deflate");
        byte[] hello = {(byte) 0xf2, 0x48, (byte) 0xcd, (byte) 0xc9, (byte) 0xc9, 0x07, 0x00};
        client.send(RSV1 | TEXT, Arrays.copyOf(hello, 3));
        client.send(FIN | CONTINUATION, Arrays.copyOfRange(hello, 3, 7));
        assertEquals("Hello", client.receive().text());
        client.send(FIN | RSV1 | TEXT, new byte[] {
            (byte) 0xf3, 0x48, (byte) 0xcd, (byte) 0xc9, (byte) 0xc9, 0x07, 0x00, 0x00
        }); // RFC 7692, 7.2.3.4
        assertEquals("Hello", client.receive().text());
        end(client);
    }

    @Test
    default void stopsAtTheLimitOfWhatIsDecompressed() throws Exception {
        WebSocketContractClient client = sockets().open("/echo", "Sec-WebSocket-Extensions: permessage-deflate");
        client.send(FIN | RSV1 | BINARY, WebSocketContractClient.deflated(new byte[20_000_000]));
        assertCloses(1009, client);
    }

    @Test
    default void refusesWhatCannotBeDecompressed() throws Exception {
        WebSocketContractClient client = sockets().open("/echo", "Sec-WebSocket-Extensions: permessage-deflate");
        client.send(FIN | RSV1 | BINARY, new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff});
        assertCloses(1007, client);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "permessage-deflate; client_max_window_bits, deflate-frame, x-webkit-deflate-frame",
                "permessage-deflate; server_max_window_bits=10",
                "permessage-deflate; unknown",
                "permessage-deflate; server_no_context_takeover=1",
                "x-other"
            })
    default void declinesOffersThatItCannotKeep(String offer) throws Exception {
        WebSocketContractClient client = sockets().connect();
        String head = client.ask("/echo", "Sec-WebSocket-Extensions: " + offer);
        assertFalse(head.contains("Sec-WebSocket-Extensions"), head);
        end(client);
    }

    @Test
    default void sendsPreparedMessagesWithAndWithoutCompression() throws Exception {
        WebSocketContractClient plain = sockets().open("/prepared");
        WebSocketContractClient deflating = sockets().open("/prepared", "Sec-WebSocket-Extensions: permessage-deflate");
        WebSocketContractClient takeover = sockets().open("/takeover", "Sec-WebSocket-Extensions: permessage-deflate");
        plain.text("prepared");
        deflating.text("prepared");
        takeover.text("prepared");
        assertEquals("prepared ".repeat(100), plain.receive().text());
        assertInflates("prepared ".repeat(100), deflating);
        assertInflates("prepared ".repeat(100), takeover);
        end(plain);
        end(deflating);
        end(takeover);
    }

    private static void assertInflates(String expected, WebSocketContractClient client)
            throws IOException, DataFormatException {
        Frame frame = client.receive();
        assertEquals(FIN | RSV1 | TEXT, frame.flags());
        assertEquals(expected, new String(frame.inflated(), StandardCharsets.UTF_8));
    }
}
