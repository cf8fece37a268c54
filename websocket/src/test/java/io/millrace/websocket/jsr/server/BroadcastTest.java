package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Inflater;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.Session;
import javax.websocket.server.ServerEndpoint;
import org.junit.jupiter.api.Test;

/** A String that is sent to several sessions in succession is encoded once: each session receives it in its own encoding. */
@SuppressWarnings("FutureReturnValueIgnored") // the clients wait for the messages
public class BroadcastTest {

    private static final int TIMES = 1000;
    private static final String GREETING = "welcome ".repeat(TIMES);

    @ServerEndpoint("/news")
    public static class News {
        /** After its handshake a client may not be among the open sessions yet; after the greeting it is. */
        @OnOpen
        public void greet(Session session) throws IOException {
            session.getBasicRemote().sendText(GREETING);
        }

        @OnMessage
        public void all(String message, Session session) throws IOException {
            String news = message.repeat(TIMES);
            for (Session each : session.getOpenSessions()) {
                each.getAsyncRemote().sendText(news);
                each.getBasicRemote().sendText(news);
            }
        }
    }

    @Test
    void sendsEachMessageToAllPlainAndCompressed() throws Exception {
        try (EndpointServer server = EndpointServer.of(News.class);
                Compressed packed = new Compressed(server.port(), "/app/news")) {
            EndpointClient first = greeted(server);
            EndpointClient second = greeted(server);
            assertEquals(GREETING, packed.next());
            for (String word : new String[] {"hällo ", "other "}) {
                String expected = word.repeat(TIMES);
                first.send(word);
                for (EndpointClient each : new EndpointClient[] {first, second, first, second}) {
                    assertEquals("text " + expected, each.next());
                }
                assertEquals(expected, packed.next());
                assertEquals(expected, packed.next());
            }
        }
    }

    @Test
    void mixesNoTextsOfSeveralThreads() throws Exception {
        int clients = 4;
        int texts = 10;
        try (EndpointServer server = EndpointServer.of(News.class)) {
            List<EndpointClient> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                all.add(greeted(server));
            }
            Map<String, Integer> expected = new HashMap<>();
            for (int text = 0; text < texts; text++) {
                for (int i = 0; i < clients; i++) {
                    String word = "n" + i + "." + text + " ";
                    expected.put("text " + word.repeat(TIMES), 2);
                    all.get(i).send(word);
                }
            }
            for (EndpointClient each : all) {
                Map<String, Integer> came = new HashMap<>();
                for (int i = 0; i < 2 * clients * texts; i++) {
                    came.merge(each.next(), 1, Integer::sum);
                }
                assertEquals(expected, came);
            }
        }
    }

    private static EndpointClient greeted(EndpointServer server) throws Exception {
        EndpointClient client = server.connect("/news");
        assertEquals("text " + GREETING, client.next());
        return client;
    }

    /** A client with permessage-deflate, which the JDK's client does not support. */
    private static final class Compressed implements AutoCloseable {

        private final Socket socket;
        private final DataInputStream in;

        Compressed(int port, String path) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(30_000);
            in = new DataInputStream(socket.getInputStream());
            String head =
                    "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                            + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            StringBuilder answer = new StringBuilder();
            while (answer.indexOf("\r\n\r\n") < 0) {
                answer.append((char) in.readUnsignedByte());
            }
            assertEquals("HTTP/1.1 101", answer.substring(0, 12));
        }

        /** A message in one compressed frame. */
        String next() throws Exception {
            assertEquals(0xc1, in.readUnsignedByte()); // FIN, RSV1, text
            int length = in.readUnsignedByte();
            byte[] payload = new byte[length == 126 ? in.readUnsignedShort() : length];
            in.readFully(payload);
            Inflater inflater = new Inflater(true);
            try {
                inflater.setInput(payload);
                byte[] text = new byte[64 * TIMES];
                return new String(text, 0, inflater.inflate(text), StandardCharsets.UTF_8);
            } finally {
                inflater.end();
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
