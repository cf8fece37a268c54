package io.millrace.websocket.jsr.client;

import io.millrace.websocket.jsr.EndpointRuntime;
import io.millrace.websocket.jsr.JsrSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.websocket.CloseReason;

/** The open sessions of clients, by the class loader of the application that has opened them. Any thread. */
public final class ClientSessions {

    // guarded by itself; a loader is here only while it has a session
    private static final Map<ClassLoader, Set<JsrSession>> OPEN = new HashMap<>();

    private ClientSessions() {}

    /** An application stops: closes its sessions with 1001. Does not wait. */
    public static void close(ClassLoader application) {
        List<JsrSession> closing;
        synchronized (OPEN) {
            closing = new ArrayList<>(OPEN.getOrDefault(application, Set.of()));
        }
        CloseReason reason = new CloseReason(CloseReason.CloseCodes.GOING_AWAY, "The application has stopped");
        closing.forEach(session -> session.close(reason));
    }

    /** For the sessions of one application. */
    static EndpointRuntime.SessionLife of(ClassLoader application) {
        return new EndpointRuntime.SessionLife() {
            @Override
            public void opened(JsrSession session) {
                synchronized (OPEN) {
                    OPEN.computeIfAbsent(application, loader -> new HashSet<>()).add(session);
                }
            }

            @Override
            public void ended(JsrSession session) {
                synchronized (OPEN) {
                    Set<JsrSession> open = OPEN.get(application);
                    if (open != null && open.remove(session) && open.isEmpty()) {
                        OPEN.remove(application);
                    }
                }
            }
        };
    }
}
