package io.millrace.servlet.security;

import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.session.SessionLogin;
import io.millrace.servlet.settings.SameSite;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/**
 * One login for several applications, what Tomcat's Valve of this name does: whoever has logged in to one of them is known to
 * the others by a cookie. The login lasts as long as a session that it was used for. It is over when one application logs out
 * or invalidates such a session: all of them end then. Applications whose sessions are shared with other servers do not take
 * part. Any thread.
 */
public final class SingleSignOn {

    /** As many random bytes as session ids have. */
    private static final int ID_BYTES = 20;

    private final IdentityStore store;
    private final Options options;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, SharedLogin> logins;

    /**
     * How logins are shared.
     *
     * @param cookieName of the cookie that is sent to all applications
     * @param cookieDomain where it is sent besides the host that set it; null: nowhere
     * @param requireReauthentication each application verifies the user's password again, which is kept meanwhile: for BASIC
     *     and FORM only
     */
    public record Options(String cookieName, @Nullable String cookieDomain, boolean requireReauthentication) {

        /** As Tomcat has it. */
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
     * For applications with the same users.
     *
     * @param store must be theirs, unless each of them verifies passwords again
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
     * For applications with other users that are sent the same cookie, as those of another host of its domain. Nobody is known
     * to both; neither takes back the other's cookie.
     */
    public SingleSignOn withUsers(IdentityStore others) {
        return new SingleSignOn(others, options, logins);
    }

    Options options() {
        return options;
    }

    /** May an application with these users take part? Otherwise a stranger could be whom it knows by the same name. */
    public boolean isFor(IdentityStore users) {
        return options.requireReauthentication() || users.equals(store);
    }

    /** Somebody has logged in. The caller puts a session into it, or ends it. */
    SharedLogin begin(SessionLogin login, Proof.@Nullable Password proof) {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(id);
        SharedLogin begun = new SharedLogin(this, text, login, options.requireReauthentication() ? proof : null);
        logins.put(text, begun);
        return begun;
    }

    /** Null if there is none of this id that is not over, or it is of other users. */
    @Nullable
    SharedLogin find(String id) {
        SharedLogin known = logins.get(id);
        return known == null || !known.isOf(this) ? null : known;
    }

    /** Is there one of this id, whoever's users it is of? */
    boolean isKnown(String id) {
        return logins.containsKey(id);
    }

    void forget(SharedLogin over) {
        logins.remove(over.id(), over);
    }
}
