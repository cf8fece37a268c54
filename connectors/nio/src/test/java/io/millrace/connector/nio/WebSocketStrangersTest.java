package io.millrace.connector.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.io.BufferPool;
import io.millrace.io.TransportOptions;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.SocketLink;
import io.millrace.testkit.WebSocketContractClient;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.PreparedMessage;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With WebSocket clients of other projects, and with many clients, it … */
@Timeout(120)
class WebSocketStrangersTest {

    private static final int LISTENERS = 1_000;
    private static final int DEAF = 10;

    @Test
    void echoesForTheClientOfTheJdk() throws Exception {
        WebSocketHandler echo = WebSocketHandler.onText((connection, message) -> connection.sendText(message));
        try (Server server = Server.builder().port(0).handler(echo).start()) {
            CompletableFuture<String> received = new CompletableFuture<>();
            CompletableFuture<Integer> closed = new CompletableFuture<>();
            WebSocket client = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(URI.create("ws://localhost:" + server.ports().get(0) + "/"), new WebSocket.Listener() {
                        private final StringBuilder text = new StringBuilder();

                        @Override
                        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
                            text.append(data);
                            if (last) {
                                received.complete(text.toString());
                            }
                            return WebSocket.Listener.super.onText(socket, data, last);
                        }

                        @Override
                        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                            closed.complete(code);
                            return WebSocket.Listener.super.onClose(socket, code, reason);
                        }
                    })
                    .join();
            client.sendText("from the ", false).join();
            client.sendText("JDK €".repeat(5_000), true).join();
            assertEquals("from the " + "JDK €".repeat(5_000), Deadline.await(received));
            client.sendClose(4000, "enough").join();
            assertEquals(4000, Deadline.await(closed));
        }
    }

    /** Of 1,000 listeners 10 never read: the others receive everything, and the 10 are aborted. */
    @Test
    void broadcastsToMostWhenSomeDoNotRead() throws Exception {
        Queue<WebSocketConnection> all = new ConcurrentLinkedQueue<>();
        AtomicInteger lost = new AtomicInteger();
        WebSocketListener listener = new WebSocketListener() {
            @Override
            public void onOpen(WebSocketConnection connection) {
                all.add(connection);
            }

            @Override
            public void onClose(WebSocketConnection connection, CloseStatus status) {
                lost.addAndGet(status.code() == 1000 ? 0 : 1);
            }
        };
        WebSocketOptions options = WebSocketOptions.DEFAULT
                .with(WebSocketOptions.SEND_TIMEOUT, Duration.ofSeconds(3))
                .with(WebSocketOptions.CLOSE_TIMEOUT, Duration.ofSeconds(1))
                .with(WebSocketOptions.SEND_BUFFER_LIMIT, 256L * 1024);
        Connector connector = Connector.builder()
                .port(0)
                .with(TransportOptions.SEND_BUFFER, 64 * 1024) // the rest is buffered in the server
                .build();
        try (Server server = Server.builder()
                .connector(connector)
                .handler(new WebSocketHandler(listener, options))
                .start()) {
            InetSocketAddress address = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), server.ports().get(0));
            List<WebSocketContractClient> clients = new ArrayList<>();
            BufferPool none = new BufferPool(1 << 20);
            for (int i = 0; i < LISTENERS; i++) {
                WebSocketContractClient client = new WebSocketContractClient(
                        new SocketLink(RawClient.connect(address, i < DEAF ? 4096 : 0), none));
                client.ask("/");
                clients.add(client);
            }
            Deadline.await("everyone to be connected", () -> all.size() == LISTENERS);
            PreparedMessage message = PreparedMessage.binary(ByteBuffer.allocate(50_000));
            int rounds = 20;
            for (int round = 0; round < rounds; round++) {
                CountDownLatch sent = new CountDownLatch(LISTENERS - DEAF);
                for (WebSocketConnection connection : all) {
                    connection.send(message, failure -> sent.countDown());
                }
                for (int i = DEAF; i < LISTENERS; i++) {
                    assertEquals(50_000, clients.get(i).receive().payload().length);
                }
                assertTrue(all.stream().allMatch(c -> c.unsent() <= 256 * 1024 + 50_010));
            }
            Deadline.await("those that do not read to be cut", () -> lost.get() == DEAF);
            for (int i = DEAF; i < LISTENERS; i++) {
                clients.get(i).close(1000);
                assertEquals(1000, clients.get(i).receive().code());
            }
        }
    }
}
