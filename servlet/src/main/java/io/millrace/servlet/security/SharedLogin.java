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
 * One user's login in several applications.
 *
 * @param id the value of the cookie
 * @param proof the password for applications that verify it again; null if they do not, or the login was without password
 * @param group its sessions
 */
record SharedLogin(String id, SessionLogin login, Proof.@Nullable Password proof, SessionGroup group) {

    /** The sessions of a login that are in this server's memory. Thread-safe. */
    static final class Members {

        private final Set<HttpSession> sessions = Collections.newSetFromMap(new IdentityHashMap<>());
        private boolean ended;

        /** False if they have ended. */
        synchronized boolean add(HttpSession session) {
            return !ended && sessions.add(session);
        }

        synchronized void remove(HttpSession session) {
            sessions.remove(session);
        }

        /** Removes a session. If it was the last one, none can be added any more; returns whether it was. */
        synchronized boolean removeLast(HttpSession session) {
            sessions.remove(session);
            ended |= sessions.isEmpty();
            return ended;
        }

        synchronized boolean isEmpty() {
            return sessions.isEmpty();
        }

        private synchronized List<HttpSession> taken() {
            ended = true;
            List<HttpSession> all = new ArrayList<>(sessions);
            sessions.clear();
            return all;
        }

        /** Ends all sessions, even if the listeners of one application throw. */
        void end() {
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
}
