package com.example.chat;

import io.millrace.Server;
import io.millrace.handler.PathRouter;
import io.millrace.handler.Responses;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.PreparedMessage;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketListener;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A chat over WebSocket, and its page. */
public final class Chat implements WebSocketListener {

    // tag::chat
    private final Set<WebSocketConnection> present = ConcurrentHashMap.newKeySet();

    @Override
    public void onOpen(WebSocketConnection connection) {
        present.add(connection);
    }

    @Override
    public void onText(WebSocketConnection connection, String text) {
        PreparedMessage message = PreparedMessage.text(text);
        present.forEach(each -> each.send(message)); // does not wait for slow readers
    }

    @Override
    public void onClose(WebSocketConnection connection, CloseStatus status) {
        present.remove(connection);
    }

    static Server start(int port) throws IOException {
        byte[] page = page();
        PathRouter router = PathRouter.builder()
                .exact("/", exchange -> Responses.bytes(exchange, 200, "text/html;charset=utf-8", page))
                .exact("/chat", new WebSocketHandler(new Chat()))
                .build();
        return Server.builder().port(port).handler(router).start();
    }
    // end::chat

    private static byte[] page() throws IOException {
        try (InputStream page = Objects.requireNonNull(Chat.class.getResourceAsStream("index.html"))) {
            return page.readAllBytes();
        }
    }

    public static void main(String[] args) throws IOException {
        Server server = start(args.length == 0 ? 8080 : Integer.parseInt(args[0]));
        System.out.println("http://localhost:" + server.port() + "/");
        server.awaitStop();
    }
}
