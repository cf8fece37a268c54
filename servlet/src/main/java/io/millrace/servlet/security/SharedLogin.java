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
 * One user's login for several applications, with the sessions that it was used for. It is over when the last of them has
 * left, or one was ended. Any thread.
 */
final class SharedLogin implements SessionGroup {

    private final SingleSignOn home;
    private final String id;
    private final SessionLogin login;
    private final Proof.@Nullable Password proof;
    private final Set<HttpSession> sessions = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean over;

    /** @param proof for applications that verify it again; null if they do not, or nothing was said that they could verify */
    SharedLogin(SingleSignOn home, String id, SessionLogin login, Proof.@Nullable Password proof) {
        this.home = home;
        this.id = id;
        this.login = login;
        this.proof = proof;
    }

    @SuppressWarnings("ReferenceEquality") // each has users of its own
    boolean isOf(SingleSignOn asked) {
        return home == asked;
    }

    /** What the cookie has. */
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

    /** Whatever one application's listeners throw, the sessions of the others end. */
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

    /** Its listeners find their classes, whichever application the thread belongs to. */
    private static void end(HttpSession session) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(session.getServletContext().getClassLoader());
        try {
            session.invalidate();
        } catch (IllegalStateException ended) {
            // by its own application, at the same time
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
