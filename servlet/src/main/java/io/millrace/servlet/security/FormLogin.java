package io.millrace.servlet.security;

import io.millrace.http.EncodedSlash;
import io.millrace.http.HttpVersion;
import io.millrace.http.LocalReference;
import io.millrace.http.RequestPath;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.uri.UrlEscapes;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * The FORM method (Servlet 3.1, 13.6.3):
 *
 * <pre>
 * GET or POST /orders          saved in the session; the response is the login page
 * POST …/j_security_check      on failure the error page; on success a new session id and 303 to /orders; 408 without session
 * GET /orders                  restores the saved request, with its method, fields and body
 * </pre>
 */
final class FormLogin implements LoginMethod {

    private static final String ACTION = "/j_security_check";

    /** A session attribute, so that it is passivated and replicated with the session. */
    private static final String SAVED = "io.millrace.servlet.security.SavedRequest";

    private static final int FOUND = 302;
    private static final int SEE_OTHER = 303;
    private static final Outcome TOO_LARGE = new Outcome.Answered(new Verdict.Refused(
            403,
            "This request requires a login, and its body is too large to be saved during the login. Log in first, then send it"
                    + " again."));

    private static final Verdict CROSS_SITE =
            new Verdict.Refused(403, "The login form was sent from another site. Log in at this one.");
    private static final Verdict EXPIRED = new Verdict.Refused(
            408,
            "The login took longer than the session timeout. Go back to the page that you wanted, and log in again.");
    private static final Verdict UNSOLICITED = new Verdict.Refused(
            400, "No page required this login. Go to the page that you want; it shows the login page.");

    private final IdentityStore store;
    private final String loginPage;
    private final String errorPage;
    private final @Nullable String landingPage;
    private final int timeoutSeconds;

    FormLogin(IdentityStore store, LoginConfigModel login, Settings settings) {
        this.store = store;
        loginPage = Objects.requireNonNull(login.loginPage());
        errorPage = Objects.requireNonNull(login.errorPage());
        landingPage = settings.find(LoginOptions.LANDING_PAGE);
        timeoutSeconds = settings.get(LoginOptions.AUTHENTICATION_SESSION_TIMEOUT);
    }

    @Override
    public String authType() {
        return "FORM";
    }

    @Override
    public boolean isRemembered() {
        return true;
    }

    /** The login pages are open, because otherwise no user could log in to an application that constrains all paths. */
    @Override
    public boolean isOpen(String path) {
        return path.equals(pathOf(loginPage)) || path.equals(pathOf(errorPage)) || path.endsWith(ACTION);
    }

    @Override
    public Outcome authenticate(LoginRequest login) {
        try {
            HttpSession session = Objects.requireNonNull(login.session().get(true));
            SavedRequest before = saved(session);
            if (before == null || isNavigation(login.request())) {
                SavedRequest saved = login.request().save();
                if (saved == null) {
                    return TOO_LARGE;
                }
                session.setAttribute(
                        SAVED,
                        before != null
                                ? saved.withMaxIdleSeconds(before.maxIdleSeconds())
                                : session.isNew() ? shortened(session, saved) : saved);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Outcome.Answered(new Verdict.Page(loginPage));
    }

    /** Sets a short timeout for a session that is created by the login page, until the user has logged in. */
    private SavedRequest shortened(HttpSession session, SavedRequest saved) {
        int usual = session.getMaxInactiveInterval();
        if (timeoutSeconds <= 0 || usual > 0 && usual <= timeoutSeconds) {
            return saved;
        }
        session.setMaxInactiveInterval(timeoutSeconds);
        return saved.withMaxIdleSeconds(usual);
    }

    /** Restores the timeout after the login, unless the application has set another one meanwhile. */
    private void lengthen(HttpSession session, SavedRequest saved) {
        Integer usual = saved.maxIdleSeconds();
        if (usual != null && session.getMaxInactiveInterval() == timeoutSeconds) {
            session.setMaxInactiveInterval(usual);
        }
    }

    /** A request for a page's image or script must not replace the saved request of the page. */
    private static boolean isNavigation(SecuredRequest request) {
        String mode = request.header("Sec-Fetch-Mode");
        return mode == null || mode.equals("navigate");
    }

    @Override
    public @Nullable Verdict serve(LoginRequest login) {
        if (login.request().paths().get(0).endsWith(ACTION)) {
            return check(login);
        }
        resume(login);
        return null;
    }

    private Verdict check(LoginRequest login) {
        SecuredRequest request = login.request();
        if ("cross-site".equals(request.header("Sec-Fetch-Site"))) {
            return CROSS_SITE;
        }
        HttpSession session = login.session().get(false);
        SavedRequest saved = session == null ? null : saved(session);
        if (session == null || saved == null && landingPage == null) {
            return unsolicited(request, session != null);
        }
        String name = request.formField("j_username");
        String password = request.formField("j_password");
        Proof.Password proof = name == null || password == null ? null : new Proof.Password(name, password);
        Identity identity = proof == null ? null : store.verify(proof);
        if (proof == null || identity == null) {
            return new Verdict.Page(errorPage);
        }
        login.accept(identity, proof);
        if (saved != null) {
            lengthen(session, saved);
        }
        String location = saved != null ? saved.location() : landing(request);
        return redirect(request, login.session().encodeRedirect(location));
    }

    /**
     * Responds to credentials without a saved request. They are not verified: they may be an attacker's, to log in the victim as
     * the attacker (login CSRF).
     */
    private Verdict unsolicited(SecuredRequest request, boolean hasSession) {
        if (landingPage != null) {
            return redirect(request, landing(request));
        }
        return hasSession ? UNSOLICITED : EXPIRED;
    }

    private String landing(SecuredRequest request) {
        return LocalReference.of(request.inContext(Objects.requireNonNull(landingPage)), null);
    }

    /** HTTP/1.0 has no 303. */
    private static Verdict redirect(SecuredRequest request, String location) {
        return new Verdict.Redirected(request.version() == HttpVersion.HTTP_1_0 ? FOUND : SEE_OTHER, location);
    }

    private void resume(LoginRequest login) {
        SecuredRequest request = login.request();
        HttpSession session = request.method().equals("GET") ? login.session().get(false) : null;
        SavedRequest saved = session == null ? null : saved(session);
        if (session == null || saved == null || !login.isLoggedIn()) {
            return;
        }
        lengthen(session, saved);
        if (saved.isResumedBy(request.method(), request.path(), request.query())) {
            session.removeAttribute(SAVED);
            if (!saved.isPlain()) {
                request.replay(saved);
            }
        }
    }

    private static @Nullable SavedRequest saved(HttpSession session) {
        return session.getAttribute(SAVED) instanceof SavedRequest saved ? saved : null;
    }

    /** The decoded path of a page, as the dispatcher reads it. */
    private static String pathOf(String page) {
        int query = page.indexOf('?');
        String written = query < 0 ? page : page.substring(0, query);
        RequestPath path = RequestPath.parse(UrlEscapes.escape(written), EncodedSlash.REJECT);
        return path == null ? written : path.decoded();
    }
}
