package io.millrace.examples;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.websocket.OnClose;
import javax.websocket.OnError;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.Session;
import javax.websocket.server.ServerEndpoint;

/**
 * The endpoint of {@code chat.html}: sends each message to all sessions. The container creates an instance for each session.
 * A message is its kind, a space, and a text: {@code you} the visitor's name, {@code here} the number of sessions,
 * {@code note} who joined or left, {@code said} what a visitor said.
 */
@ServerEndpoint("/chat")
public class ChatEndpoint {

    private static final int LONGEST = 500;
    private static final AtomicInteger VISITORS = new AtomicInteger();
    private static final Map<String, Session> PRESENT = new ConcurrentHashMap<>();

    private final String name = "Guest " + VISITORS.incrementAndGet();

    @OnOpen
    public void opened(Session session) {
        PRESENT.put(session.getId(), session);
        send(session, "you " + name);
        toAll("here " + PRESENT.size());
        toAll("note " + name + " has come.");
    }

    @OnMessage(maxMessageSize = 4 * LONGEST)
    public void said(String text) {
        toAll("said " + name + ": " + text);
    }

    @OnClose
    public void closed(Session session) {
        PRESENT.remove(session.getId());
        toAll("here " + PRESENT.size());
        toAll("note " + name + " has left.");
    }

    /** A lost connection is not reported; {@link #closed} is called next. */
    @OnError
    public void failed(Throwable failure) {}

    private static void toAll(String message) {
        PRESENT.values().forEach(session -> send(session, message));
    }

    /** Does not wait: a message is dropped for a slow receiver whose buffer is full. */
    private static void send(Session session, String message) {
        try {
            session.getAsyncRemote().sendText(message, sent -> {});
        } catch (IllegalStateException closedMeanwhile) {
            // its onClose removes it
        }
    }
}
