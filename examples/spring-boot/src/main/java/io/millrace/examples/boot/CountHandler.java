package io.millrace.examples.boot;

import java.io.IOException;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** Responds to a number with so many messages: 1, 2, 3, … */
final class CountHandler extends TextWebSocketHandler {

    private static final int MOST = 100_000;

    @Override
    protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
        int last = Math.min(Integer.parseInt(message.getPayload()), MOST);
        for (int i = 1; i <= last; i++) {
            session.sendMessage(new TextMessage(String.valueOf(i)));
        }
    }
}
