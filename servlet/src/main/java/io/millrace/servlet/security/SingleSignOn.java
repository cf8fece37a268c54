package io.millrace.servlet.security;

import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.security.SharedLogin.Members;
import io.millrace.servlet.session.SessionGroup;
import io.millrace.servlet.session.SessionGroups;
import io.millrace.servlet.session.SessionLogin;
import io.millrace.servlet.session.store.SharedMap;
import io.millrace.servlet.settings.SameSite;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * Single sign-on for several applications, like Tomcat's Valve of this name: a cookie identifies a user who has logged in to one
 * of them to the others. A login lasts until the last of its sessions has expired. If one application logs the user out or
 * invalidates its session, all sessions of the login end. Applications whose sessions are shared with other servers take part if
 * these servers share the logins, too ({@link #shared}). Thread-safe.
 */
public final class SingleSignOn {

    /** The number of random bytes, as in session ids. */
    private static final int ID_BYTES = 20;

    private final IdentityStore store;
    private final String users;
    private final Options options;
    private final SecureRandom random = new SecureRandom();
    private final Logins logins;

    /**
     * The options of single sign-on.
     *
     * @param cookieName the name of the cookie, which is sent to all applications
     * @param cookieDomain the domain of the cookie; null: only the host that set it
     * @param requireReauthentication true if each application verifies the user's password again, which is kept in memory, or
     *     encrypted where servers share the logins; for BASIC and FORM only
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
     * For applications with the same identity store, on this server.
     *
     * @param store the store of the applications; any, if each of them verifies passwords again
     */
    public SingleSignOn(IdentityStore store, Options options) {
        this(store, "", options, new LoginsOfServer());
    }

    private SingleSignOn(IdentityStore store, String users, Options options, Logins logins) {
        this.store = store;
        this.users = users;
        this.options = options;
        this.logins = logins;
    }

    /**
     * For applications with the same identity store, on several servers. A log-out on one of them ends the login on all of them
     * within a second. The map does not contain what would let those who read it log in, or learn who has.
     *
     * @param store the store of the applications; any, if each of them verifies passwords again
     * @param map of these servers; its keys that begin with {@code sign-on} are used
     * @param trustsMemory true if sessions in this server's memory stay logged in while the map does not answer, in which time a
     *     log-out on another server does not end them; false if they are unavailable then
     */
    public static SingleSignOn shared(IdentityStore store, Options options, SharedMap map, boolean trustsMemory) {
        return new SingleSignOn(store, "", options, new LoginsOfServers(map, trustsMemory));
    }

    /**
     * For applications with other users that receive the same cookie, such as those of another host of the domain. Logins are not
     * shared between the two, and neither removes the other's cookie.
     *
     * @param name tells these users from all others; the same on all servers
     */
    public SingleSignOn withUsers(IdentityStore others, String name) {
        return new SingleSignOn(others, name, options, logins);
    }

    Options options() {
        return options;
    }

    /** Whether an application with this store may take part. Another store may have a different user of the same name. */
    public boolean isFor(IdentityStore identities) {
        return options.requireReauthentication() || identities.equals(store);
    }

    /** By which sessions that several servers have are found to be members of a login; null if none can be. */
    public @Nullable SessionGroups groups() {
        return logins.groups();
    }

    /** Begins a login, as {@link Logins#begin}. The caller adds a session to it, or ends it. */
    SharedLogin begin(SessionLogin login, Proof.@Nullable Password proof, int idleSeconds) {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        return logins.begin(
                Base64.getUrlEncoder().withoutPadding().encodeToString(id),
                login,
                options.requireReauthentication() ? proof : null,
                users,
                idleSeconds);
    }

    /** The login of an id, as {@link Logins#find}. */
    @Nullable
    SharedLogin find(String id) {
        return logins.find(id, users);
    }

    /** Whether a login of this id exists, of any store. */
    boolean isKnown(String id) {
        return logins.isKnown(id);
    }

    /** Logins that only this server knows. They end when the last session has left or one is invalidated. */
    private static final class LoginsOfServer implements Logins {

        private final Map<String, LocalLogin> logins = new ConcurrentHashMap<>();

        private record LocalLogin(SharedLogin login, String users) {}

        @Override
        public SharedLogin begin(
                String id, SessionLogin login, Proof.@Nullable Password proof, String users, int idleSeconds) {
            SharedLogin begun = new SharedLogin(id, login, proof, new Group(id));
            logins.put(id, new LocalLogin(begun, users));
            return begun;
        }

        @Override
        public @Nullable SharedLogin find(String id, String users) {
            LocalLogin known = logins.get(id);
            return known == null || !known.users().equals(users) ? null : known.login();
        }

        @Override
        public boolean isKnown(String id) {
            return logins.containsKey(id);
        }

        @Override
        public @Nullable SessionGroups groups() {
            return null;
        }

        private final class Group implements SessionGroup {

            private final String id;
            private final Members members = new Members();

            Group(String id) {
                this.id = id;
            }

            @Override
            public boolean isOver(int idleSeconds) {
                return !logins.containsKey(id);
            }

            @Override
            public boolean add(HttpSession session) {
                return members.add(session);
            }

            @Override
            public void left(HttpSession session) {
                if (members.removeLast(session)) {
                    logins.remove(id);
                }
            }

            @Override
            public void end() {
                logins.remove(id);
                members.end();
            }
        }
    }
}
