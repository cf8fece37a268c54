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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionIdListener;
import javax.servlet.http.HttpSessionListener;
import javax.websocket.CloseReason;
import org.jspecify.annotations.Nullable;

/**
 * The open sessions of an application: ended when it stops, or, for those of users who had logged in, when their HTTP session
 * does (JSR 356, 7.2). Any thread.
 */
final class OpenSessions implements EndpointRuntime.SessionLife, HttpSessionListener, HttpSessionIdListener {

    private final Components components;
    // guarded by this
    private final Set<JsrSession> open = new HashSet<>();
    /** Those of users who had logged in, by the id of the HTTP session. */
    private final Map<String, Set<JsrSession>> ofUsers = new HashMap<>();
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

    @Override
    public void opened(JsrSession session) {
        boolean late;
        synchronized (this) {
            late = stopping;
            open.add(session);
            String user = userSession(session);
            if (user != null) {
                ofUsers.computeIfAbsent(user, id -> new HashSet<>()).add(session);
            }
        }
        if (late) {
            session.close(goingAway());
        }
    }

    @Override
    public void ended(JsrSession session) {
        boolean mayEnd;
        synchronized (this) {
            open.remove(session);
            ofUsers.values().removeIf(sessions -> sessions.remove(session) && sessions.isEmpty());
            mayEnd = ending.remove(session.endpoint());
            notifyAll();
        }
        if (mayEnd) {
            components.destroy(session.endpoint());
        }
    }

    /** The id of the HTTP session that it ends with; null if there is none. */
    private static @Nullable String userSession(JsrSession session) {
        return session.facts().principal() == null ? null : session.facts().httpSession();
    }

    @Override
    public void sessionCreated(HttpSessionEvent event) {}

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
        Set<JsrSession> sessions;
        synchronized (this) {
            sessions = ofUsers.remove(event.getSession().getId());
        }
        if (sessions != null) {
            CloseReason reason = new CloseReason(
                    CloseReason.CloseCodes.VIOLATED_POLICY, "The HTTP session of the user who had logged in has ended");
            sessions.forEach(session -> session.close(reason));
        }
    }

    @Override
    public synchronized void sessionIdChanged(HttpSessionEvent event, String oldId) {
        Set<JsrSession> sessions = ofUsers.remove(oldId);
        if (sessions != null) {
            ofUsers.merge(event.getSession().getId(), sessions, (one, other) -> {
                one.addAll(other);
                return one;
            });
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

    private static CloseReason goingAway() {
        return new CloseReason(CloseReason.CloseCodes.GOING_AWAY, "The application has stopped");
    }
}
