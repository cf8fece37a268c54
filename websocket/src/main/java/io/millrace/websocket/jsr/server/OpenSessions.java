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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionIdListener;
import javax.servlet.http.HttpSessionListener;
import javax.websocket.CloseReason;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket sessions of an application. They are closed when the application stops; those of authenticated users also when
 * their HTTP session ends (JSR 356, 7.2). Thread-safe.
 *
 * <pre>
 * handshake ── expected ──▸ waiting ── opened ──▸ open ── ended ──▸ gone
 *                              └── forgotten ──────────────────────▸ gone
 * </pre>
 *
 * An event that would close an open session closes a waiting one as soon as it opens.
 */
final class OpenSessions implements EndpointRuntime.SessionLife, HttpSessionListener, HttpSessionIdListener {

    private final Components components;
    // guarded by this
    private final Set<JsrSession> open = new HashSet<>();
    /** The sessions of authenticated users, open or waiting, by the id of the HTTP session. */
    private final Map<String, Set<JsrSession>> ofUsers = new HashMap<>();
    /** Waiting sessions whose HTTP session has ended. */
    private final Set<JsrSession> loggedOut = new HashSet<>();
    /** Endpoints that the container created and that have {@code @PreDestroy} methods. */
    private final Set<Object> ending = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean stopping;

    /** Opened when no session is open any more; null if no thread waits for that. */
    private @Nullable CountDownLatch lastEnded;

    OpenSessions(Components components) {
        this.components = components;
    }

    /** The number of open sessions. */
    synchronized int count() {
        return open.size();
    }

    /** The container has created an endpoint for a session. */
    void created(Object endpoint) {
        if (components.hasEnd(endpoint)) {
            synchronized (this) {
                ending.add(endpoint);
            }
        }
    }

    /**
     * The response of a handshake is about to be sent: the session opens, or is {@linkplain #forgotten forgotten}.
     *
     * @param current returns the present HTTP session; null if it has ended since the handshake began
     */
    synchronized void expected(JsrSession session, Supplier<@Nullable HttpSession> current) {
        String user = userSession(session);
        if (user == null) {
            return;
        }
        ofUsers.computeIfAbsent(user, id -> new HashSet<>()).add(session);
        HttpSession now = current.get(); // later changes are reported to this listener
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
            if (lastEnded != null && open.isEmpty()) {
                lastEnded.countDown();
                lastEnded = null;
            }
        }
        if (mayEnd) {
            components.destroy(session.endpoint());
        }
    }

    /** Called with the lock held. Returns whether the endpoint's {@code @PreDestroy} methods must be called. */
    private boolean remove(JsrSession session, @Nullable Object endpoint) {
        open.remove(session);
        loggedOut.remove(session);
        ofUsers.values().removeIf(sessions -> sessions.remove(session) && sessions.isEmpty());
        return ending.remove(endpoint);
    }

    /** The id of the HTTP session with which a session ends; null if the user was not authenticated. */
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
     * Closes all sessions with 1001, and waits until their endpoints have been notified. Blocks.
     *
     * @return the number of sessions that are still open after that time
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

    private int awaitEnd(long deadline) {
        try {
            CountDownLatch last = last();
            while (last != null && last.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                last = last(); // another one may have opened
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            return open.size();
        }
    }

    private synchronized @Nullable CountDownLatch last() {
        if (open.isEmpty()) {
            return null;
        }
        CountDownLatch last = lastEnded == null ? new CountDownLatch(1) : lastEnded;
        lastEnded = last;
        return last;
    }

    /** Aborts the connections of the sessions that are still open. */
    void abortAll() {
        List<JsrSession> left;
        synchronized (this) {
            left = new ArrayList<>(open);
        }
        left.forEach(session -> session.abort("the application has stopped"));
    }

    private static CloseReason loggedOut() {
        return new CloseReason(
                CloseReason.CloseCodes.VIOLATED_POLICY, "The HTTP session of the authenticated user has ended");
    }

    private static CloseReason goingAway() {
        return new CloseReason(CloseReason.CloseCodes.GOING_AWAY, "The application has stopped");
    }
}
