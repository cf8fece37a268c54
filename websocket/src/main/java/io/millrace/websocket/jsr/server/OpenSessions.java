package io.millrace.websocket.jsr.server;

import io.millrace.servlet.Components;
import io.millrace.websocket.jsr.EndpointRuntime;
import io.millrace.websocket.jsr.JsrSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionIdListener;
import javax.servlet.http.HttpSessionListener;
import javax.websocket.CloseReason;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of an application: ended when it stops, or, for those of users who had logged in, when their HTTP session
 * does (JSR 356, 7.2). Any thread.
 *
 * <pre>
 * handshake ── expected ──▸ waiting ── opened ──▸ open ── ended ──▸ gone
 *                              └── forgotten ──────────────────────▸ gone
 * </pre>
 *
 * What would close an open session closes one that waits as soon as it opens.
 */
final class OpenSessions implements EndpointRuntime.SessionLife, HttpSessionListener, HttpSessionIdListener {

    private final Components components;
    // guarded by this
    private final Set<JsrSession> open = new HashSet<>();
    /** Those of users who had logged in, open or waiting, by the id of the HTTP session. */
    private final Map<String, Set<JsrSession>> ofUsers = new HashMap<>();
    /** Those waiting whose user has logged out. */
    private final Set<JsrSession> loggedOut = new HashSet<>();
    /** Endpoints that we made and that have pre-destroy methods. */
    private final Set<Object> ending = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean stopping;

    OpenSessions(Components components) {
        this.components = components;
    }

    /** An endpoint that was made for a session. */
    void made(Object endpoint) {
        if (components.hasEnd(endpoint)) {
            synchronized (this) {
                ending.add(endpoint);
            }
        }
    }

    /**
     * A handshake is about to be answered: the session opens, or is {@linkplain #forgotten forgotten}.
     *
     * @param current its HTTP session as it is now: null if it has ended since the handshake saw it
     */
    synchronized void expected(JsrSession session, Supplier<@Nullable HttpSession> current) {
        String user = userSession(session);
        if (user == null) {
            return;
        }
        ofUsers.computeIfAbsent(user, id -> new HashSet<>()).add(session);
        HttpSession now = current.get(); // from here on its listeners tell
        if (now == null) {
            loggedOut.add(session);
        } else {
            renamed(user, now.getId());
        }
    }

    /** The session does not open. */
    void forgotten(JsrSession session, @Nullable Object endpoint) {
        boolean mayEnd;
        synchronized (this) {
            mayEnd = remove(session, endpoint);
        }
        if (mayEnd) {
            components.destroy(Objects.requireNonNull(endpoint));
        }
    }

    @Override
    public void opened(JsrSession session) {
        CloseReason late;
        synchronized (this) {
            open.add(session);
            late = loggedOut.remove(session) ? loggedOut() : stopping ? goingAway() : null;
        }
        if (late != null) {
            session.close(late);
        }
    }

    @Override
    public void ended(JsrSession session) {
        boolean mayEnd;
        synchronized (this) {
            mayEnd = remove(session, session.endpoint());
            notifyAll();
        }
        if (mayEnd) {
            components.destroy(session.endpoint());
        }
    }

    /** Under the lock. Has the endpoint to be told that it is destroyed? */
    private boolean remove(JsrSession session, @Nullable Object endpoint) {
        open.remove(session);
        loggedOut.remove(session);
        ofUsers.values().removeIf(sessions -> sessions.remove(session) && sessions.isEmpty());
        return ending.remove(endpoint);
    }

    /** The id of the HTTP session that it ends with; null if there is none. */
    private static @Nullable String userSession(JsrSession session) {
        return session.facts().principal() == null ? null : session.facts().httpSession();
    }

    @Override
    public void sessionCreated(HttpSessionEvent event) {}

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
        List<JsrSession> closing = new ArrayList<>();
        synchronized (this) {
            Set<JsrSession> sessions = ofUsers.remove(event.getSession().getId());
            if (sessions != null) {
                sessions.forEach(session -> (open.contains(session) ? closing : loggedOut).add(session));
            }
        }
        closing.forEach(session -> session.close(loggedOut()));
    }

    @Override
    public synchronized void sessionIdChanged(HttpSessionEvent event, String oldId) {
        renamed(oldId, event.getSession().getId());
    }

    private void renamed(String oldId, String newId) {
        Set<JsrSession> sessions = oldId.equals(newId) ? null : ofUsers.remove(oldId);
        if (sessions != null) {
            ofUsers.computeIfAbsent(newId, id -> new HashSet<>()).addAll(sessions);
        }
    }

    /**
     * Closes all with 1001, and waits until their endpoints know it.
     *
     * @return how many are left when the time is up
     */
    int stop(long millis) {
        List<JsrSession> closing;
        synchronized (this) {
            stopping = true;
            closing = new ArrayList<>(open);
        }
        closing.forEach(session -> session.close(goingAway()));
        return awaitEnd(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private synchronized int awaitEnd(long deadline) {
        try {
            long left = deadline - System.nanoTime();
            while (!open.isEmpty() && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = deadline - System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return open.size();
    }

    /** Cuts those that are left. */
    void cut() {
        List<JsrSession> left;
        synchronized (this) {
            left = new ArrayList<>(open);
        }
        left.forEach(session -> session.abort("the application has stopped"));
    }

    private static CloseReason loggedOut() {
        return new CloseReason(
                CloseReason.CloseCodes.VIOLATED_POLICY, "The HTTP session of the user who had logged in has ended");
    }

    private static CloseReason goingAway() {
        return new CloseReason(CloseReason.CloseCodes.GOING_AWAY, "The application has stopped");
    }
}
