package io.millrace.servlet.security;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.session.RequestSession;
import io.millrace.servlet.session.SessionGroup;
import io.millrace.servlet.session.SessionLogin;
import java.util.Set;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/** The single sign-on of one request. Not thread-safe. */
final class RequestSignOn {

    /** Methods by password, which another application can verify again. */
    private static final Set<String> BY_PASSWORD = Set.of("BASIC", "FORM");

    /** Of so many cookies for single sign-on a request's login is looked for: each may be a call of a shared store. */
    private static final int MAX_LOGIN_COOKIES = 3;

    private final SingleSignOn shared;
    private final AccessControl control;
    private final SecuredRequest request;
    private final RequestSession session;
    private boolean lookedUp;
    private @Nullable SharedLogin found;

    RequestSignOn(SingleSignOn shared, AccessControl control, SecuredRequest request, RequestSession session) {
        this.shared = shared;
        this.control = control;
        this.request = request;
        this.session = session;
    }

    /** The login in another application; null if there is none, or this application must verify it again. */
    @Nullable
    SessionLogin recall() {
        SharedLogin known = shared.options().requireReauthentication() ? null : found();
        return known == null || isOver(known) ? null : known.login();
    }

    /**
     * Adds this application's session to the login of {@link #recall}, which admits the request.
     *
     * @return false if the login has ended
     */
    boolean enter() {
        SharedLogin known = found;
        if (known == null) {
            return true; // the user is not known by single sign-on
        }
        join(known, known.login());
        return !isOver(known);
    }

    private boolean isOver(SharedLogin known) {
        return known.group().isOver(session.maxIdleSeconds());
    }

    /** Other servers find the membership in the session's login. */
    private boolean join(SharedLogin known, SessionLogin as) {
        boolean joined = session.join(known.group());
        if (joined && known.group().name() != null) {
            session.login(as);
        }
        return joined;
    }

    /**
     * Verifies the password of a login in another application with this application's store; null if there is none, it is wrong,
     * or this application's method is not by password. May block.
     */
    @Nullable
    Identity verifyAgain() {
        SharedLogin known = BY_PASSWORD.contains(control.method().authType()) ? found() : null;
        Proof.Password proof = known == null ? null : known.proof();
        Identity identity = proof == null ? null : control.verify(proof.name(), proof.password());
        if (known == null || identity == null) {
            return null;
        }
        session.join(known.group());
        return isOver(known) ? null : identity;
    }

    /**
     * Shares a new login with other applications. Never reuses the id that the client sent, which an attacker may know.
     *
     * @return true if the session, which is created if there is none, was added
     */
    boolean begin(SessionLogin login, Proof.@Nullable Password proof) {
        boolean byPassword = BY_PASSWORD.contains(login.authType());
        SharedLogin begun = shared.begin(login, byPassword ? proof : null, session.maxIdleSeconds());
        boolean joined = false;
        try {
            joined = join(begun, login);
        } finally {
            if (!joined) {
                begun.group().end();
            }
        }
        if (joined) {
            lookedUp = true;
            found = begun;
            request.replaceCookie(cookie(begun.id(), -1));
        }
        return joined;
    }

    /** Logs out: ends the sessions of the login in all applications, including this one. */
    void end() {
        SessionGroup bySession = session.group();
        try {
            if (bySession != null) {
                bySession.end();
            }
        } finally {
            SharedLogin byCookie = found();
            found = null;
            if (byCookie != null) {
                request.replaceCookie(cookie("", 0));
                byCookie.group().end();
            }
        }
    }

    private @Nullable SharedLogin found() {
        if (!lookedUp) {
            lookedUp = true;
            lookUp();
        }
        return found;
    }

    /** Looks up the cookie's login. Removes a cookie whose login has ended, as Tomcat does. */
    private void lookUp() {
        int brought = 0;
        boolean known = false;
        for (Cookie cookie : request.cookies()) {
            if (found == null
                    && brought < MAX_LOGIN_COOKIES
                    && cookie.getName().equals(shared.options().cookieName())) {
                brought++;
                known |= shared.isKnown(cookie.getValue());
                found = shared.find(cookie.getValue());
            }
        }
        if (brought > 0 && !known) {
            request.replaceCookie(cookie("", 0));
        }
    }

    /** The cookie for all applications of the host, hidden from scripts. */
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
