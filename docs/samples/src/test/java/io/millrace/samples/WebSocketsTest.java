package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Server;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.PathRouter;
import io.millrace.handler.Responses;
import io.millrace.testkit.Deadline;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.MessageOutput;
import io.millrace.websocket.OriginRule;
import io.millrace.websocket.PreparedMessage;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketHandshake;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guide's page about WebSockets … */
@Timeout(60)
class WebSocketsTest {

    @Test
    void echoes() throws Exception {
        // tag::websocket-echo[]
        Server server = Server.builder()
                .port(0)
                .handler(WebSocketHandler.onText((connection, text) -> connection.sendText(text)))
                .start();
        // end::websocket-echo[]
        try (server) {
            assertEquals("hello", firstMessage(server, "hello"));
        }
    }

    // tag::websocket-room[]
    /** Everybody in the room gets what one of them says. */
    static final class Room implements WebSocketListener {

        private final Set<WebSocketConnection> present = ConcurrentHashMap.newKeySet();

        @Override
        public void onOpen(WebSocketConnection connection) {
            present.add(connection);
        }

        @Override
        public void onText(WebSocketConnection connection, String text) {
            PreparedMessage message = PreparedMessage.text(text); // encoded and compressed once
            present.forEach(each -> each.send(message));
        }

        @Override
        public void onClose(WebSocketConnection connection, CloseStatus status) {
            present.remove(connection);
        }
    }
    // end::websocket-room[]

    @Test
    void broadcastsInARoom() throws Exception {
        // tag::websocket-options[]
        WebSocketOptions options = WebSocketOptions.DEFAULT
                .withOrigins(OriginRule.of(List.of("https://example.org")))
                .withSubprotocols(List.of("chat"))
                .withMaxTextSize(16 * 1024)
                .withPingInterval(Duration.ofSeconds(30));
        HttpHandler room = new WebSocketHandler(new Room(), options);
        // end::websocket-options[]
        HttpHandler members = members(new Room());
        HttpHandler all = PathRouter.builder()
                .exact("/room", room)
                .exact("/members", members)
                .build();
        try (Server server = Server.builder().port(0).handler(all).start()) {
            assertEquals("hello", firstMessage(server, "/room", "hello"));
            assertEquals("hello", firstMessage(server, "/members?name=x", "hello"));
        }
    }

    private static HttpHandler members(WebSocketListener room) {
        // tag::websocket-handshake[]
        HttpHandler members = exchange -> {
            if (exchange.request().query() == null) { // what a login would decide
                Responses.error(exchange, 401);
            } else {
                WebSocketHandshake.accept(exchange, room, WebSocketOptions.DEFAULT);
            }
        };
        // end::websocket-handshake[]
        return members;
    }

    @Test
    void sendsInPartsWithBackPressure() throws Exception {
        // tag::websocket-parts[]
        WebSocketListener report = new WebSocketListener() {
            @Override
            public void onText(WebSocketConnection connection, String question) throws InterruptedException {
                MessageOutput answer = connection.startMessage(true);
                for (int line = 0; line < 1_000; line++) {
                    connection.awaitRoom(Duration.ofSeconds(20)); // blocks while the peer reads slowly
                    answer.sendText("line " + line + "\n", line == 999, failure -> {});
                }
            }
        };
        // end::websocket-parts[]
        try (Server server =
                Server.builder().port(0).handler(new WebSocketHandler(report)).start()) {
            assertEquals(1_000, firstMessage(server, "?").lines().count());
        }
    }

    private static String firstMessage(Server server, String said) throws Exception {
        return firstMessage(server, "/", said);
    }

    private static String firstMessage(Server server, String path, String said) throws Exception {
        CompletableFuture<String> received = new CompletableFuture<>();
        WebSocket client = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://localhost:" + server.ports().get(0) + path), new WebSocket.Listener() {
                    private final StringBuilder text = new StringBuilder();

                    @Override
                    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
                        text.append(data);
                        if (last) {
                            received.complete(text.toString());
                        }
                        return WebSocket.Listener.super.onText(socket, data, last);
                    }
                })
                .join();
        client.sendText(said, true).join();
        String answer = Deadline.await(received);
        client.sendClose(1000, "").join();
        return answer;
    }
}
