package io.millrace.servlet.security;

import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.session.SessionGroup;
import io.millrace.servlet.session.SessionLogin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * One user's login in several applications, with their sessions. It ends when the last session has left or one is invalidated.
 * Thread-safe.
 */
final class SharedLogin implements SessionGroup {

    private final SingleSignOn home;
    private final String id;
    private final SessionLogin login;
    private final Proof.@Nullable Password proof;
    private final Set<HttpSession> sessions = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean over;

    /** @param proof the password for applications that verify it again; null if they do not, or the login was without password */
    SharedLogin(SingleSignOn home, String id, SessionLogin login, Proof.@Nullable Password proof) {
        this.home = home;
        this.id = id;
        this.login = login;
        this.proof = proof;
    }

    @SuppressWarnings("ReferenceEquality") // each has its own users
    boolean belongsTo(SingleSignOn signOn) {
        return home == signOn;
    }

    /** The value of the cookie. */
    String id() {
        return id;
    }

    SessionLogin login() {
        return login;
    }

    Proof.@Nullable Password proof() {
        return proof;
    }

    synchronized boolean isOver() {
        return over;
    }

    @Override
    public synchronized boolean add(HttpSession session) {
        return !over && sessions.add(session);
    }

    @Override
    public synchronized void left(HttpSession session) {
        sessions.remove(session);
        if (sessions.isEmpty()) {
            over = true;
            home.forget(this);
        }
    }

    /** Ends all sessions, even if the listeners of one application throw. */
    @Override
    public void end() {
        Throwable failure = null;
        for (HttpSession session : taken()) {
            try {
                end(session);
            } catch (RuntimeException | Error e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
    }

    private synchronized List<HttpSession> taken() {
        over = true;
        home.forget(this);
        List<HttpSession> all = new ArrayList<>(sessions);
        sessions.clear();
        return all;
    }

    /** Invalidates a session with its application's class loader as context class loader, for its listeners. */
    private static void end(HttpSession session) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(session.getServletContext().getClassLoader());
        try {
            session.invalidate();
        } catch (IllegalStateException ended) {
            // its application has ended it concurrently
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
