package io.millrace.samples;

import io.millrace.Server;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.MessageOutput;
import io.millrace.websocket.OriginRule;
import io.millrace.websocket.PreparedMessage;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketHandshake;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The samples of the page about WebSockets. */
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

    static HttpHandler room() {
        // tag::websocket-options[]
        WebSocketOptions options = WebSocketOptions.DEFAULT
                .withOrigins(OriginRule.of(List.of("https://example.org")))
                .withSubprotocols(List.of("chat"))
                .withMaxTextSize(16 * 1024)
                .withPingInterval(Duration.ofSeconds(30));
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
}
