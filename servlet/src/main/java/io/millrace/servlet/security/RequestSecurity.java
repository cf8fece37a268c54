package io.millrace.servlet.security;

import io.millrace.servlet.session.RequestSession;
import io.millrace.servlet.session.SessionLogin;
import java.security.Principal;
import java.util.Map;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/** Who makes one request, and whether they may. Not for two threads at once. */
public final class RequestSecurity {

    private final AccessControl control;
    private final SecurityCarrier carrier;
    private final RequestSession session;
    private @Nullable SessionLogin login;

    RequestSecurity(AccessControl control, SecurityCarrier carrier, RequestSession session) {
        this.control = control;
        this.carrier = carrier;
        this.session = session;
    }

    /**
     * Matches the constraints and authenticates if they ask for it. Once, before the first filter; dispatches are not
     * checked again (Servlet 3.1, 13.2). May block in the identity store.
     */
    public Verdict admit() {
        Demand demand = control.demand(carrier.method(), carrier.path());
        if (demand.access() == Demand.Access.NOBODY) {
            return new Verdict.Refused(403, "Access to this resource is denied.");
        }
        if (demand.encrypted() && !carrier.isSecure()) {
            return HttpsTwin.of(carrier.fullUrl(), carrier.redirectPort());
        }
        if (demand.access() == Demand.Access.EVERYBODY) {
            return Verdict.ADMITTED;
        }
        Verdict authenticated = authenticate();
        if (!authenticated.equals(Verdict.ADMITTED) || demand.access() == Demand.Access.AUTHENTICATED) {
            return authenticated;
        }
        return demand.roles().stream().anyMatch(this::hasRole)
                ? Verdict.ADMITTED
                : new Verdict.Refused(403, "Your user lacks the role this resource needs.");
    }

    /** HttpServletRequest.authenticate: authenticates, constrained or not. */
    public Verdict authenticate() {
        if (principal() == null) {
            Identity identity = control.authenticate(carrier);
            if (identity == null) {
                return control.challenge();
            }
            accept(identity);
        }
        return Verdict.ADMITTED;
    }

    /**
     * HttpServletRequest.login; a session there is gets a new id and remembers the identity.
     *
     * @throws ServletException if the credentials are wrong, or somebody is logged in already
     */
    public void login(@Nullable String name, @Nullable String password) throws ServletException {
        if (principal() != null) {
            throw new ServletException("login: somebody is logged in already; call logout first.");
        }
        Identity identity = name == null || password == null ? null : control.verify(name, password);
        if (identity == null) {
            throw new ServletException("login: the name or the password is wrong.");
        }
        accept(identity);
    }

    /** HttpServletRequest.logout. The session stays, and forgets who logged in. */
    public void logout() {
        login = null;
        session.login(null);
    }

    /** Null if nobody is logged in. */
    public @Nullable Principal principal() {
        SessionLogin current = current();
        return current == null ? null : current.principal();
    }

    /** BASIC, or LOGIN after {@link #login} where no method is configured; null if nobody is logged in. */
    public @Nullable String authType() {
        SessionLogin current = current();
        return current == null ? null : current.authType();
    }

    /**
     * HttpServletRequest.isUserInRole.
     *
     * @param references the current servlet's security-role-ref
     */
    public boolean isUserInRole(@Nullable String role, Map<String, String> references) {
        if (role == null || role.equals("*") || principal() == null) {
            return false;
        }
        String linked = references.getOrDefault(role, role);
        return linked.equals("**") && !control.declares("**") || hasRole(linked);
    }

    private boolean hasRole(String role) {
        return principal() instanceof Identity identity && identity.roles().contains(role);
    }

    /** A session that began before the login gets a new id: a planted one is worth nothing (session fixation). */
    private void accept(Identity identity) {
        login = new SessionLogin(identity, control.authType());
        if (session.get(false) != null) {
            session.changeId();
            session.login(login);
        }
    }

    private @Nullable SessionLogin current() {
        if (login == null) {
            login = session.login();
        }
        return login;
    }
}
