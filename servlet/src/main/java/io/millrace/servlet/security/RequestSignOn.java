package io.millrace.servlet.security;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.session.RequestSession;
import io.millrace.servlet.session.SessionGroup;
import io.millrace.servlet.session.SessionLogin;
import java.util.Set;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/** One request's part in single sign-on. Not for two threads at once. */
final class RequestSignOn {

    /** Methods whose proof is a password, which another application can verify again. */
    private static final Set<String> BY_PASSWORD = Set.of("BASIC", "FORM");

    private final SingleSignOn shared;
    private final SecuredRequest request;
    private final RequestSession session;
    private boolean looked;
    private @Nullable SharedLogin found;

    RequestSignOn(SingleSignOn shared, SecuredRequest request, RequestSession session) {
        this.shared = shared;
        this.request = request;
        this.session = session;
    }

    /** Who has logged in to another application; null if nobody has, or this one is to verify it again. */
    @Nullable
    SessionLogin recall() {
        SharedLogin known = shared.options().requireReauthentication() ? null : found();
        return known == null || known.isOver() ? null : known.login();
    }

    /**
     * The request is admitted because of {@link #recall}: the login lasts as long as this application's session, too.
     *
     * @return false if it was over before
     */
    boolean enter() {
        SharedLogin known = found;
        if (known == null) {
            return true; // it is not known by that
        }
        session.join(known);
        return !known.isOver();
    }

    /**
     * Whom this application finds proved by the password that another one was given; null if there is none, it is wrong here,
     * or the application's login is not by password. May block.
     */
    @Nullable
    Identity verifyAgain(AccessControl control) {
        SharedLogin known = BY_PASSWORD.contains(control.method().authType()) ? found() : null;
        Proof.Password proof = known == null ? null : known.proof();
        Identity identity = proof == null ? null : control.verify(proof.name(), proof.password());
        if (known == null || identity == null) {
            return null;
        }
        session.join(known);
        return known.isOver() ? null : identity;
    }

    /**
     * Somebody has logged in here: the others are to know. Never goes on with the id that the client sent: it may be known to
     * somebody else.
     *
     * @return true if the session, which was made if there was none, takes part
     */
    boolean begin(SessionLogin login, Proof.@Nullable Password proof) {
        boolean byPassword = BY_PASSWORD.contains(login.authType());
        SharedLogin begun = shared.begin(login, byPassword ? proof : null);
        boolean joined = false;
        try {
            joined = session.join(begun);
        } finally {
            if (!joined) {
                begun.end();
            }
        }
        if (joined) {
            looked = true;
            found = begun;
            request.replaceCookie(cookie(begun.id(), -1));
        }
        return joined;
    }

    /** Log-out: ends the sessions of all applications that this login was used for, this one's among them. */
    void end() {
        SharedLogin byCookie = found();
        SessionGroup bySession = session.group();
        found = null;
        try {
            if (byCookie != null) {
                request.replaceCookie(cookie("", 0));
                byCookie.end();
            }
        } finally {
            if (bySession != null) {
                bySession.end();
            }
        }
    }

    private @Nullable SharedLogin found() {
        if (!looked) {
            looked = true;
            look();
        }
        return found;
    }

    /** A cookie that means nothing any more is taken back, as in Tomcat. */
    private void look() {
        boolean brought = false;
        boolean known = false;
        for (Cookie cookie : request.cookies()) {
            if (found == null && cookie.getName().equals(shared.options().cookieName())) {
                brought = true;
                known |= shared.isKnown(cookie.getValue());
                found = shared.find(cookie.getValue());
            }
        }
        if (brought && !known) {
            request.replaceCookie(cookie("", 0));
        }
    }

    /** For all applications of the host, and for no script. */
    private Cookie cookie(String value, int maxAge) {
        Cookie cookie = new Cookie(shared.options().cookieName(), value);
        cookie.setPath("/");
        cookie.setHttpOnly(true);
        cookie.setSecure(request.isSecure());
        cookie.setMaxAge(maxAge);
        String domain = shared.options().cookieDomain();
        if (domain != null) {
            cookie.setDomain(domain);
        }
        return cookie;
    }
}
