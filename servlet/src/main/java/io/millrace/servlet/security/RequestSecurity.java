package io.millrace.servlet.security;

import io.millrace.io.FrontEndUser;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.identity.StoreUnavailableException;
import io.millrace.servlet.session.DelegatedCredential;
import io.millrace.servlet.session.RequestSession;
import io.millrace.servlet.session.SessionLogin;
import io.millrace.settings.Settings;
import java.security.Principal;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletException;
import org.ietf.jgss.GSSCredential;
import org.jspecify.annotations.Nullable;

/** Who makes one request, and whether they may. Not for two threads at once. */
public final class RequestSecurity {

    private static final int UNAVAILABLE = 503;

    private final AccessControl control;
    private final SecuredRequest request;
    private final RequestSession session;
    private final @Nullable RequestSignOn signOn;
    private @Nullable SessionLogin login;
    private @Nullable String calledAs;
    private boolean relayAsked;

    RequestSecurity(AccessControl control, SecuredRequest request, RequestSession session) {
        this.control = control;
        this.request = request;
        this.session = session;
        SingleSignOn shared = control.signOn();
        signOn = shared == null ? null : new RequestSignOn(shared, request, session);
    }

    /**
     * Matches the constraints and authenticates if they ask for it. Once, before the first filter; dispatches are not
     * checked again (Servlet 3.1, 13.2). May block in the identity store.
     */
    public Verdict admit() {
        try {
            for (String path : request.paths()) {
                RequiredAccess demand = control.demand(request.method(), path);
                if (demand.encrypted() && !request.isSecure()) {
                    return HttpsTwin.of(request.url(), request.query(), request.redirectPort());
                }
            }
            Verdict own = control.method().serve(asRequest());
            return own != null ? own : judge();
        } catch (StoreUnavailableException e) {
            return unavailable(e);
        }
    }

    /** The method is asked for after a kept request has been put in this one's place. */
    private Verdict judge() {
        for (String path : request.paths()) {
            Verdict verdict = judge(control.demand(request.method(), path));
            if (!verdict.equals(Verdict.ADMITTED)) {
                return verdict;
            }
        }
        return Verdict.ADMITTED;
    }

    private Verdict judge(RequiredAccess demand) {
        if (!demand.equals(RequiredAccess.NONE)) {
            keepCachesAway();
        }
        return switch (demand.access()) {
            case EVERYBODY -> Verdict.ADMITTED;
            case NOBODY -> new Verdict.Refused(403, "Access to this resource is denied.");
            case AUTHENTICATED -> askUnlessKnown();
            case ROLES -> {
                Verdict verdict = askUnlessKnown();
                yield !verdict.equals(Verdict.ADMITTED)
                                || demand.roles().stream().anyMatch(this::hasRole)
                        ? verdict
                        : new Verdict.Refused(403, "Your user lacks the role this resource needs.");
            }
        };
    }

    /** As Tomcat's authenticators do; answers to POST are not cached anyway. */
    private void keepCachesAway() {
        Settings settings = control.settings();
        if (!settings.get(LoginOptions.DISABLE_PROXY_CACHING) || request.method().equals("POST")) {
            return;
        }
        if (settings.get(LoginOptions.SECURE_PAGES_WITH_PRAGMA)) {
            request.respondWith("Pragma", "No-cache");
            request.respondWith("Cache-Control", "no-cache");
        } else {
            request.respondWith("Cache-Control", "private");
        }
        request.respondWith("Expires", "Thu, 01 Jan 1970 00:00:00 GMT");
    }

    /**
     * Whether the constraints let whoever makes this request reach another path too, without asking for a login: for methods
     * that act on more than the path of the request (RFC 4918).
     *
     * @param path below the context path
     */
    public boolean mayReach(String method, String path) {
        RequiredAccess demand = control.demand(method, path);
        return (!demand.encrypted() || request.isSecure())
                && switch (demand.access()) {
                    case EVERYBODY -> true;
                    case NOBODY -> false;
                    case AUTHENTICATED -> principal() != null;
                    case ROLES -> demand.roles().stream().anyMatch(this::hasRole);
                };
    }

    /** HttpServletRequest.authenticate: authenticates, constrained or not. */
    public Verdict authenticate() {
        try {
            return askUnlessKnown();
        } catch (StoreUnavailableException e) {
            return unavailable(e);
        }
    }

    private Verdict askUnlessKnown() {
        if (principal() != null && (signOn == null || signOn.enter())) {
            return Verdict.ADMITTED;
        }
        login = null; // a login that was shared may be over now
        if (isVerifiedAgain()) {
            return Verdict.ADMITTED;
        }
        LoginMethod.Outcome outcome = control.method().ask(asRequest());
        if (outcome instanceof LoginMethod.Outcome.Answered answered) {
            return answered.verdict();
        }
        if (outcome instanceof LoginMethod.Outcome.Proved proved) {
            accept(proved.identity(), control.method().isRemembered(), proved.credential(), proved.password());
        }
        return Verdict.ADMITTED;
    }

    private boolean isVerifiedAgain() {
        Identity identity = signOn == null ? null : signOn.verifyAgain(control);
        if (identity == null) {
            return false;
        }
        login = new SessionLogin(identity, control.method().authType());
        session.login(login);
        return true;
    }

    private Verdict unavailable(StoreUnavailableException e) {
        SecurityLog.LOG.storeUnavailable(control.applicationName(), String.valueOf(e.getMessage()));
        return new Verdict.Refused(UNAVAILABLE, "Logins can't be checked at the moment.");
    }

    private LoginRequest asRequest() {
        return new LoginRequest(this, request, session);
    }

    /**
     * HttpServletRequest.login; a session there is gets a new id and remembers the identity.
     *
     * @throws ServletException if the credentials are wrong, or a user is logged in already
     */
    public void login(@Nullable String name, @Nullable String password) throws ServletException {
        if (principal() != null) {
            throw new ServletException("login: a user is logged in already; call logout first.");
        }
        try {
            Proof.Password proof = name == null || password == null ? null : new Proof.Password(name, password);
            Identity identity = proof == null ? null : control.verify(proof.name(), proof.password());
            if (proof == null || identity == null) {
                throw new ServletException("login: the name or the password is wrong.");
            }
            accept(identity, true, null, proof);
        } catch (StoreUnavailableException e) {
            throw new ServletException("login: " + e.getMessage(), e);
        }
    }

    /** HttpServletRequest.logout. The session stays, and forgets who logged in; with single sign-on it ends, as in Tomcat. */
    public void logout() {
        login = null;
        relayAsked = true;
        session.login(null);
        if (signOn != null) {
            signOn.end();
        }
    }

    /** Null if no user is logged in. */
    public @Nullable Principal principal() {
        SessionLogin current = current();
        return current == null ? null : current.principal();
    }

    /** What the user delegated to the server; null: nothing, or no user is logged in. */
    public @Nullable GSSCredential delegatedCredential() {
        SessionLogin current = current();
        return current == null || current.credential() == null
                ? null
                : current.credential().get();
    }

    /** BASIC and its like, or LOGIN after {@link #login} where no method is configured; null if no user is logged in. */
    public @Nullable String authType() {
        SessionLogin current = current();
        return current == null ? null : current.authType();
    }

    /**
     * HttpServletRequest.isUserInRole. What a servlet with run-as has called by forward, include or an asynchronous dispatch
     * is called in that role as well.
     *
     * @param references the current servlet's security-role-ref
     */
    public boolean isUserInRole(@Nullable String role, Map<String, String> references) {
        if (role == null || role.equals("*")) {
            return false;
        }
        String linked = references.getOrDefault(role, role);
        if (linked.equals(calledAs)) {
            return true;
        }
        return principal() != null && (linked.equals("**") && !control.declares("**") || hasRole(linked));
    }

    /**
     * A dispatch begins: the servlet that made it acts in this role; null if it has none of its own.
     *
     * @return what to set when the dispatch is over
     */
    public @Nullable String callAs(@Nullable String role) {
        String before = calledAs;
        if (role != null) {
            calledAs = role;
        }
        return before;
    }

    /** A dispatch is over. */
    public void calledAsBefore(@Nullable String role) {
        calledAs = role;
    }

    private boolean hasRole(String role) {
        return principal() instanceof Identity identity && identity.roles().contains(role);
    }

    /** A session that began before the login gets a new id: a planted one is worth nothing (session fixation). */
    void accept(
            Identity identity,
            boolean remembered,
            @Nullable DelegatedCredential credential,
            Proof.@Nullable Password password) {
        login = new SessionLogin(identity, control.method().authType(), credential);
        boolean hasNewId = signOn != null && signOn.begin(login, password);
        if (remembered && session.get(false) != null) {
            if (!hasNewId) {
                session.changeId();
            }
            session.login(login);
        }
    }

    private @Nullable SessionLogin current() {
        if (login == null && !relayAsked) {
            relayAsked = true;
            login = relayed();
        }
        if (login == null) {
            login = session.login();
        }
        if (login == null && signOn != null) {
            login = signOn.recall();
        }
        return login;
    }

    /** Whom a front end has logged in; before anybody the session remembers, who may be another. */
    private @Nullable SessionLogin relayed() {
        FrontEndUser user = request.relayedUser();
        if (user == null) {
            return null;
        }
        Identity identity = user.isMember() ? control.verifyRelayed(user.name()) : new Identity(user.name(), Set.of());
        String authType = user.authType() == null ? control.method().authType() : user.authType();
        return identity == null ? null : new SessionLogin(identity, authType);
    }
}
