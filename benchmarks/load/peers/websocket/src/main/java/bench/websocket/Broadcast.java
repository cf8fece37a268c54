package bench.websocket;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.websocket.OnClose;
import javax.websocket.OnMessage;
import javax.websocket.OnOpen;
import javax.websocket.Session;
import javax.websocket.server.ServerEndpoint;

/** Any message makes every session get one of 1 KB. */
@ServerEndpoint("/ws/broadcast")
public class Broadcast {

    private static final String NEWS = "0123456789abcdef".repeat(64);
    private static final Set<Session> SESSIONS = ConcurrentHashMap.newKeySet();

    @OnOpen
    public void opened(Session session) {
        SESSIONS.add(session);
    }

    @OnMessage
    public void send(String message) {
        for (Session session : SESSIONS) {
            session.getAsyncRemote().sendText(NEWS);
        }
    }

    @OnClose
    public void closed(Session session) {
        SESSIONS.remove(session);
    }
}
