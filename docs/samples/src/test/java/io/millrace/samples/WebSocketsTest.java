package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Server;
import io.millrace.exchange.HttpHandler;
import io.millrace.testkit.Deadline;
import io.millrace.tls.TlsClientOptions;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.client.ClientRuntime;
import io.millrace.websocket.client.WebSocketClient;
import io.millrace.websocket.client.WebSocketRequest;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guide's page about WebSockets … */
@Timeout(60)
class WebSocketsTest {

    @Test
    void echoes() throws Exception {
        try (Server server = WebSockets.echo()) {
            assertEquals("hello", firstMessage(server, "/", "hello"));
        }
    }

    @Test
    void connectsWithAPolicy() throws Exception {
        try (Server server = WebSockets.echo();
                ClientRuntime runtime = ClientRuntime.start("policy")) {
            WebSocketClient client =
                    WebSockets.following(runtime.client(TlsClientOptions.DEFAULT), ProxySelector.of(null), "secret");
            String uri = "ws://127.0.0.1:" + server.port() + "/";
            CompletableFuture<String> answer = new CompletableFuture<>();
            WebSocketListener listener = new WebSocketListener() {
                @Override
                public void onText(WebSocketConnection connection, String text) {
                    answer.complete(text);
                }
            };
            client.connect(WebSocketRequest.to(uri), listener)
                    .get(20, TimeUnit.SECONDS)
                    .sendText("hello");
            assertEquals("hello", answer.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void broadcastsInARoom() throws Exception {
        assertEquals("hello", firstMessage(WebSockets.room(), "/", "hello"));
    }

    @Test
    void echoesByStreams() throws Exception {
        assertEquals("hello", firstMessage(WebSockets.streams(), "/", "hello"));
    }

    @Test
    void letsAHandlerDecide() throws Exception {
        assertEquals("hello", firstMessage(WebSockets.members(new WebSockets.Room()), "/?name=x", "hello"));
    }

    @Test
    void sendsInPartsWithBackPressure() throws Exception {
        assertEquals(1_000, firstMessage(WebSockets.report(), "/", "?").lines().count());
    }

    @Test
    void connectsAsAClient() throws Exception {
        try (Server server = WebSockets.echo()) {
            assertEquals("hello", WebSockets.ask(uri(server, "/").toString(), "hello"));
        }
    }

    @Test
    void connectsAnEndpoint() throws Exception {
        try (Server server = WebSockets.echo()) {
            assertEquals("hello", WebSockets.askByEndpoint(uri(server, "/"), "hello"));
        }
    }

    private static String firstMessage(HttpHandler handler, String path, String said) throws Exception {
        try (Server server = Server.builder().port(0).handler(handler).start()) {
            return firstMessage(server, path, said);
        }
    }

    private static String firstMessage(Server server, String path, String said) throws Exception {
        CompletableFuture<String> received = new CompletableFuture<>();
        WebSocket.Listener listener = new WebSocket.Listener() {
            private final StringBuilder text = new StringBuilder();

            @Override
            public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
                text.append(data);
                if (last) {
                    received.complete(text.toString());
                }
                socket.request(1);
                return CompletableFuture.completedStage(null);
            }
        };
        WebSocket client = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(uri(server, path), listener)
                .join();
        client.sendText(said, true).join();
        String answer = Deadline.await(received);
        client.sendClose(1000, "").join();
        return answer;
    }

    private static URI uri(Server server, String path) {
        return URI.create("ws://localhost:" + server.ports().get(0) + path);
    }
}
