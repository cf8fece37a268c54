package io.millrace.samples;

import io.millrace.Server;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import io.millrace.tls.TlsClientOptions;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.MessageOutput;
import io.millrace.websocket.OriginRule;
import io.millrace.websocket.PreparedMessage;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketHandshake;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import io.millrace.websocket.client.ClientRuntime;
import io.millrace.websocket.client.Credentials;
import io.millrace.websocket.client.HandshakePolicy;
import io.millrace.websocket.client.WebSocketClient;
import io.millrace.websocket.client.WebSocketRequest;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import javax.websocket.ClientEndpoint;
import javax.websocket.CloseReason;
import javax.websocket.ContainerProvider;
import javax.websocket.OnClose;
import javax.websocket.OnMessage;
import javax.websocket.Session;

/** WebSockets in the guide. */
final class WebSockets {

    private WebSockets() {}

    static Server echo() throws IOException {
        // tag::websocket-echo[]
        Server server = Server.builder()
                .port(0)
                .handler(WebSocketHandler.onText((connection, text) -> connection.sendText(text)))
                .start();
        // end::websocket-echo[]
        return server;
    }

    static HttpHandler streams() {
        // tag::websocket-streams[]
        HttpHandler echo = WebSocketHandler.ofStreams(
                streams -> streams.received().subscribe(streams.sender()), WebSocketOptions.DEFAULT);
        // end::websocket-streams[]
        return echo;
    }

    // tag::websocket-room[]
    /** Sends each message to all connections in the room. */
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

    static HttpHandler room() {
        // tag::websocket-options[]
        WebSocketOptions options = WebSocketOptions.DEFAULT
                .withOrigins(OriginRule.of(List.of("https://example.org")))
                .withSubprotocols(List.of("chat"))
                .with(WebSocketOptions.MAX_TEXT_SIZE, 16 * 1024)
                .with(WebSocketOptions.PING_INTERVAL, Duration.ofSeconds(30));
        HttpHandler room = new WebSocketHandler(new Room(), options);
        // end::websocket-options[]
        return room;
    }

    static HttpHandler members(WebSocketListener room) {
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

    static HttpHandler report() {
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
        return new WebSocketHandler(report);
    }

    static String ask(String uri, String question) throws Exception {
        // tag::websocket-client[]
        CompletableFuture<String> answer = new CompletableFuture<>();
        WebSocketListener listener = new WebSocketListener() {
            @Override
            public void onText(WebSocketConnection connection, String text) {
                answer.complete(text);
            }

            @Override
            public void onClose(WebSocketConnection connection, CloseStatus status) {
                answer.completeExceptionally(new IOException("closed without an answer: " + status));
            }
        };
        try (ClientRuntime runtime = ClientRuntime.start("client")) { // once in a program
            WebSocketClient client = runtime.client(TlsClientOptions.DEFAULT);
            WebSocketRequest request = WebSocketRequest.to(uri).withTimeout(Duration.ofSeconds(5));
            WebSocketConnection connection = client.connect(request, listener).get();
            connection.sendText(question);
            return answer.get();
        }
        // end::websocket-client[]
    }

    static WebSocketClient following(WebSocketClient client, ProxySelector proxies, String password) {
        // tag::websocket-policy[]
        HandshakePolicy policy = HandshakePolicy.STRICT
                .withMaxRedirects(20)
                .withCredentials(new Credentials("ann", password, null))
                .withProxies(proxies, null);
        return client.withPolicy(policy);
        // end::websocket-policy[]
    }

    // tag::websocket-client-endpoint[]
    /** Waits for the first message. */
    @ClientEndpoint
    public static final class Answer {

        private final CompletableFuture<String> text = new CompletableFuture<>();

        @OnMessage
        public void received(String message) {
            text.complete(message);
        }

        @OnClose
        public void closed(CloseReason reason) {
            text.completeExceptionally(new IOException("closed without an answer: " + reason));
        }
    }
    // end::websocket-client-endpoint[]

    static String askByEndpoint(URI uri, String question) throws Exception {
        // tag::websocket-client-connect[]
        Answer answer = new Answer();
        try (Session session = ContainerProvider.getWebSocketContainer().connectToServer(answer, uri)) {
            session.getBasicRemote().sendText(question);
            return answer.text.get();
        }
        // end::websocket-client-connect[]
    }
}
