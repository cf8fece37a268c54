package io.millrace.servlet.security;

import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.session.SessionGroup;
import io.millrace.servlet.session.SessionLogin;
import io.millrace.servlet.settings.SameSite;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * Single sign-on for several applications, like Tomcat's Valve of this name: a cookie identifies a user who has logged in to one
 * of them to the others. A login lasts until the last of its sessions has expired. If one application logs the user out or
 * invalidates its session, all sessions of the login end. Applications whose sessions are shared with other servers do not take
 * part. Thread-safe.
 */
public final class SingleSignOn {

    /** The number of random bytes, as in session ids. */
    private static final int ID_BYTES = 20;

    private final IdentityStore store;
    private final Options options;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, SharedLogin> logins;

    /**
     * The options of single sign-on.
     *
     * @param cookieName the name of the cookie, which is sent to all applications
     * @param cookieDomain the domain of the cookie; null: only the host that set it
     * @param requireReauthentication true if each application verifies the user's password again, which is kept in memory; for
     *     BASIC and FORM only
     */
    public record Options(String cookieName, @Nullable String cookieDomain, boolean requireReauthentication) {

        /** Tomcat's defaults. */
        public static final Options DEFAULTS = new Options("JSESSIONIDSSO", null, false);

        /** @throws IllegalArgumentException if no cookie can have this name or domain */
        public Options {
            Cookie cookie = new Cookie(cookieName, "x");
            if (cookieDomain != null) {
                cookie.setDomain(cookieDomain);
            }
            Objects.requireNonNull(new CookieWriter(SameSite.UNSET).write(cookie));
        }
    }

    /**
     * For applications with the same identity store.
     *
     * @param store the store of the applications; any, if each of them verifies passwords again
     */
    public SingleSignOn(IdentityStore store, Options options) {
        this(store, options, new ConcurrentHashMap<>());
    }

    private SingleSignOn(IdentityStore store, Options options, Map<String, SharedLogin> logins) {
        this.store = store;
        this.options = options;
        this.logins = logins;
    }

    /**
     * For applications with other users that receive the same cookie, such as those of another host of the domain. Logins are not
     * shared between the two, and neither removes the other's cookie.
     */
    public SingleSignOn withUsers(IdentityStore others) {
        return new SingleSignOn(others, options, logins);
    }

    Options options() {
        return options;
    }

    /** True if an application with this store may take part. Another store may have a different user of the same name. */
    public boolean isFor(IdentityStore users) {
        return options.requireReauthentication() || users.equals(store);
    }

    /** Begins a login. The caller adds a session to it, or ends it. */
    SharedLogin begin(SessionLogin login, Proof.@Nullable Password proof) {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(id);
        SharedLogin begun = new SharedLogin(text, login, options.requireReauthentication() ? proof : null);
        logins.put(text, begun);
        return begun;
    }

    /** The login of an id; null if it does not exist, has ended, or belongs to another store. */
    @Nullable
    SharedLogin find(String id) {
        SharedLogin known = logins.get(id);
        return known == null || !known.belongsTo(this) ? null : known;
    }

    /** True if a login of this id exists, of any store. */
    boolean isKnown(String id) {
        return logins.containsKey(id);
    }

    /**
     * One user's login in several applications, with their sessions. It ends when the last session has left or one is invalidated.
     * Thread-safe.
     */
    final class SharedLogin implements SessionGroup {

        private final String id;
        private final SessionLogin login;
        private final Proof.@Nullable Password proof;
        private final Set<HttpSession> sessions = Collections.newSetFromMap(new IdentityHashMap<>());
        private boolean over;

        /** @param proof the password for applications that verify it again; null if they do not, or the login was without password */
        SharedLogin(String id, SessionLogin login, Proof.@Nullable Password proof) {
            this.id = id;
            this.login = login;
            this.proof = proof;
        }

        @SuppressWarnings("ReferenceEquality") // each has its own users
        boolean belongsTo(SingleSignOn signOn) {
            return SingleSignOn.this == signOn;
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
                logins.remove(id, this);
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
            logins.remove(id, this);
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
}
