package io.millrace.servlet.security;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.model.LoginConfigModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * FORM (Servlet 3.1, 13.6.3):
 *
 * <pre>
 * GET or POST /orders          kept in the session, answered with the login page
 * POST …/j_security_check      wrong: the error page; right: a new session id, 303 to /orders
 * GET /orders                  is the kept request again, with its method, fields and body
 * </pre>
 */
final class FormLogin implements LoginMethod {

    private static final String ACTION = "/j_security_check";

    /** An attribute, so that it goes wherever the session goes. */
    private static final String SAVED = "io.millrace.servlet.security.SavedRequest";

    private static final int SEE_OTHER = 303;
    private static final Outcome TOO_LARGE = new Outcome.Answered(new Verdict.Refused(
            403, "This needs a login, and you sent more than is kept meanwhile. Log in first, then send it again."));

    private final IdentityStore store;
    private final String loginPage;
    private final String errorPage;
    private final String landingPage;

    FormLogin(IdentityStore store, LoginConfigModel login, LoginOptions options) {
        this.store = store;
        loginPage = Objects.requireNonNull(login.loginPage());
        errorPage = Objects.requireNonNull(login.errorPage());
        landingPage = Objects.requireNonNullElse(options.landingPage(), "/");
    }

    @Override
    public String authType() {
        return "FORM";
    }

    @Override
    public boolean isRemembered() {
        return true;
    }

    /** Else nobody could log in where everything is constrained. */
    @Override
    public boolean isOpen(String path) {
        return path.equals(pathOf(loginPage)) || path.equals(pathOf(errorPage)) || path.endsWith(ACTION);
    }

    @Override
    public Outcome ask(LoginRequest request) {
        try {
            HttpSession session = Objects.requireNonNull(request.session().get(true));
            if (session.getAttribute(SAVED) == null || isNavigation(request.carrier())) {
                SavedRequest saved = request.carrier().save();
                if (saved == null) {
                    return TOO_LARGE;
                }
                session.setAttribute(SAVED, saved);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Outcome.Answered(new Verdict.Page(loginPage));
    }

    /** A page's picture or script must not take the place of the page that led to the login. */
    private static boolean isNavigation(SecurityCarrier carrier) {
        String mode = carrier.header("Sec-Fetch-Mode");
        return mode == null || mode.equals("navigate");
    }

    @Override
    public @Nullable Verdict serve(LoginRequest request) {
        if (request.carrier().paths().get(0).endsWith(ACTION)) {
            return check(request);
        }
        resume(request);
        return null;
    }

    private Verdict check(LoginRequest request) {
        SecurityCarrier carrier = request.carrier();
        String name = carrier.formField("j_username");
        String password = carrier.formField("j_password");
        Identity identity = name == null || password == null ? null : store.verify(new Proof.Password(name, password));
        if (identity == null) {
            return new Verdict.Page(errorPage);
        }
        HttpSession session = Objects.requireNonNull(request.session().get(true));
        request.accept(identity);
        String location = session.getAttribute(SAVED) instanceof SavedRequest saved
                ? saved.location()
                : carrier.inContext(landingPage);
        return new Verdict.Redirected(SEE_OTHER, request.session().encodeRedirect(location));
    }

    private static void resume(LoginRequest request) {
        SecurityCarrier carrier = request.carrier();
        HttpSession session = carrier.method().equals("GET") ? request.session().get(false) : null;
        if (session == null || !(session.getAttribute(SAVED) instanceof SavedRequest saved) || !request.isLoggedIn()) {
            return;
        }
        if (saved.isResumedBy(carrier.method(), carrier.path(), carrier.query())) {
            session.removeAttribute(SAVED);
            if (!saved.isPlain()) {
                carrier.replay(saved);
            }
        }
    }

    private static String pathOf(String page) {
        int query = page.indexOf('?');
        return query < 0 ? page : page.substring(0, query);
    }
}
