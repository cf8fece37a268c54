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
 * The other end of {@code chat.html}: all who are connected see what one of them says. The container makes one for each session.
 * Its messages are a word for their kind, a space, and text: {@code you} the visitor's name, {@code here} how many are connected,
 * {@code note} who comes and goes, {@code said} what a visitor said.
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

    /** A browser that vanished is nothing to report; {@link #closed} comes next. */
    @OnError
    public void failed(Throwable failure) {}

    private static void toAll(String message) {
        PRESENT.values().forEach(session -> send(session, message));
    }

    /** Waits for nobody: a message that a slow reader has no room for is lost to that one alone. */
    private static void send(Session session, String message) {
        try {
            session.getAsyncRemote().sendText(message, sent -> {});
        } catch (IllegalStateException closedMeanwhile) {
            // its own onClose takes it out
        }
    }
}
