package io.millrace.websocket.jsr.client;

import io.millrace.websocket.jsr.EndpointRuntime;
import io.millrace.websocket.jsr.JsrSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import javax.websocket.CloseReason;

/** The open sessions of clients, by the class loader of the application that opened them. Thread-safe. */
public final class ClientSessions {

    // guarded by itself; contains a loader only while it has a session
    private static final Map<ClassLoader, Set<JsrSession>> OPEN = new HashMap<>();

    /** The loaders of stopped applications. Sessions that they still open, such as in an onClose that reconnects, are closed. Guarded by OPEN. */
    private static final Set<ClassLoader> STOPPED = Collections.newSetFromMap(new WeakHashMap<>());

    private static final CloseReason GOING_AWAY =
            new CloseReason(CloseReason.CloseCodes.GOING_AWAY, "The application has stopped");

    private ClientSessions() {}

    /**
     * Called when an application stops: closes its sessions with 1001, and those that open later if the class loader is its own.
     * Does not wait.
     */
    public static void close(ClassLoader application) {
        List<JsrSession> closing;
        synchronized (OPEN) {
            if (!isShared(application)) {
                STOPPED.add(application);
            }
            closing = new ArrayList<>(OPEN.getOrDefault(application, Set.of()));
        }
        closing.forEach(session -> session.close(GOING_AWAY));
    }

    /** Called when an application starts, possibly again. */
    public static void started(ClassLoader application) {
        synchronized (OPEN) {
            STOPPED.remove(application);
        }
    }

    /** Whether it is the loader of the container or the program, which outlives an application that is built in code. */
    private static boolean isShared(ClassLoader application) {
        ClassLoader shared = ClientSessions.class.getClassLoader();
        while (shared != null && !shared.equals(application)) {
            shared = shared.getParent();
        }
        return shared != null || application.equals(ClassLoader.getSystemClassLoader());
    }

    /** The listener for the sessions of one application. */
    static EndpointRuntime.SessionLife of(ClassLoader application) {
        return new EndpointRuntime.SessionLife() {
            @Override
            public void opened(JsrSession session) {
                boolean late;
                synchronized (OPEN) {
                    OPEN.computeIfAbsent(application, loader -> new HashSet<>()).add(session);
                    late = STOPPED.contains(application);
                }
                if (late) {
                    session.close(GOING_AWAY);
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
