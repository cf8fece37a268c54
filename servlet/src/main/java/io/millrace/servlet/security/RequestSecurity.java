package io.millrace.servlet.security;

import io.millrace.http.Authority;
import io.millrace.http.LocalReference;
import io.millrace.io.FrontEndUser;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.identity.StoreUnavailableException;
import io.millrace.servlet.log.ServletLog;
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

/** Authentication and authorization of one request. Not thread-safe. */
public final class RequestSecurity {

    private static final int UNAVAILABLE = 503;
    private static final int FOUND = 302;

    private final AccessControl control;
    private final SecuredRequest request;
    private final RequestSession session;
    private final @Nullable RequestSignOn signOn;
    private @Nullable SessionLogin login;
    private @Nullable String calledAs;
    private boolean relayChecked;

    /** Creates the security of a request, in the application of the access control. */
    public RequestSecurity(AccessControl control, SecuredRequest request, RequestSession session) {
        this.control = control;
        this.request = request;
        this.session = session;
        SingleSignOn shared = control.signOn();
        signOn = shared == null ? null : new RequestSignOn(shared, control, request, session);
    }

    /**
     * Checks the constraints, and authenticates the user if they require it. Called once, before the first filter; dispatches
     * are not checked (Servlet 3.1, 13.2). May block in the identity store.
     */
    public Verdict admit() {
        try {
            for (String path : request.paths()) {
                RequiredAccess demand = control.demand(request.method(), path);
                if (demand.encrypted() && !request.isSecure()) {
                    return redirectToHttps(request.url(), request.query(), request.redirectPort());
                }
            }
            Verdict own = control.method().serve(new Login());
            return own != null ? own : check();
        } catch (StoreUnavailableException e) {
            return unavailable(e);
        }
    }

    /**
     * Redirects a request that must be encrypted to the same URL with https.
     *
     * @param url without the query
     * @param port the connector's redirectPort; 0 or less for none
     */
    private static Verdict redirectToHttps(String url, @Nullable String query, int port) {
        int start = url.indexOf("://") + 3;
        if (port <= 0 || start < 3) {
            return new Verdict.Refused(403, "This resource is available over https only.");
        }
        int slash = url.indexOf('/', start);
        int pathAt = slash < 0 ? url.length() : slash;
        String host = Authority.hostOf(url.substring(start, pathAt));
        return new Verdict.Redirected(
                FOUND,
                "https://"
                        + host
                        + (port == Authority.defaultPort(true) ? "" : ":" + port)
                        + LocalReference.of(url.substring(pathAt), query));
    }

    /** Reads the request's method, which is that of the saved request if {@code serve} has restored one. */
    private Verdict check() {
        for (String path : request.paths()) {
            Verdict verdict = check(control.demand(request.method(), path));
            if (!verdict.equals(Verdict.ADMITTED)) {
                return verdict;
            }
        }
        return Verdict.ADMITTED;
    }

    private Verdict check(RequiredAccess demand) {
        if (!demand.equals(RequiredAccess.NONE)) {
            keepCachesAway();
        }
        return switch (demand.access()) {
            case EVERYBODY -> Verdict.ADMITTED;
            case NOBODY -> new Verdict.Refused(403, "Access to this resource is denied.");
            case AUTHENTICATED -> authenticateUnlessKnown();
            case ROLES -> {
                Verdict verdict = authenticateUnlessKnown();
                yield !verdict.equals(Verdict.ADMITTED)
                                || demand.roles().stream().anyMatch(this::hasRole)
                        ? verdict
                        : new Verdict.Refused(403, "Your user does not have a role that may access this resource.");
            }
        };
    }

    /** Sets the fields that Tomcat's authenticators set; responses to POST are not cached anyway. */
    private void keepCachesAway() {
        Settings settings = control.settings();
        if (!settings.get(LoginOptions.DISABLE_PROXY_CACHING)
                || request.method().equals("POST")) {
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
     * Whether the constraints permit this request's user to access another path, without a login. For methods that act on more
     * than the path of the request (RFC 4918).
     *
     * @param method an HTTP method
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

    /** Implements {@code HttpServletRequest.authenticate}: authenticates the user whether or not a constraint applies. */
    public Verdict authenticate() {
        try {
            return authenticateUnlessKnown();
        } catch (StoreUnavailableException e) {
            return unavailable(e);
        }
    }

    private Verdict authenticateUnlessKnown() {
        if (principal() != null && (signOn == null || signOn.enter())) {
            return Verdict.ADMITTED;
        }
        login = null; // a shared login may have ended
        if (isVerifiedAgain()) {
            return Verdict.ADMITTED;
        }
        LoginMethod.Outcome outcome = control.method().authenticate(new Login());
        if (outcome instanceof LoginMethod.Outcome.Answered answered) {
            return answered.verdict();
        }
        if (outcome instanceof LoginMethod.Outcome.Proved proved) {
            accept(proved.identity(), control.method().isRemembered(), proved.credential(), proved.password());
        }
        return Verdict.ADMITTED;
    }

    private boolean isVerifiedAgain() {
        Identity identity = signOn == null ? null : signOn.verifyAgain();
        if (identity == null) {
            return false;
        }
        login = new SessionLogin(identity, control.method().authType());
        session.login(login);
        return true;
    }

    private Verdict unavailable(StoreUnavailableException e) {
        ServletLog.SECURITY.userStoreUnavailable(control.applicationName(), String.valueOf(e.getMessage()));
        return new Verdict.Refused(UNAVAILABLE, "Logins cannot be verified at the moment. Try again later.");
    }

    /**
     * Implements {@code HttpServletRequest.login}. An existing session gets a new id and stores the identity. May block.
     *
     * @throws ServletException if the credentials are wrong or cannot be verified now, or a user is already logged in
     */
    public void login(@Nullable String name, @Nullable String password) throws ServletException {
        if (principal() != null) {
            throw new ServletException("login: a user is already logged in; call logout first");
        }
        try {
            Proof.Password proof = name == null || password == null ? null : new Proof.Password(name, password);
            Identity identity = proof == null ? null : control.verify(proof.name(), proof.password());
            if (proof == null || identity == null) {
                throw new ServletException("login: the name or the password is wrong");
            }
            accept(identity, true, null, proof);
        } catch (StoreUnavailableException e) {
            throw new ServletException("login: " + e.getMessage(), e);
        }
    }

    /**
     * Implements {@code HttpServletRequest.logout}. The session stays valid without the identity; with single sign-on it is
     * invalidated, as in Tomcat.
     */
    public void logout() {
        login = null;
        relayChecked = true;
        session.login(null);
        if (signOn != null) {
            signOn.end();
        }
    }

    /** The user; null if no user is logged in. */
    public @Nullable Principal principal() {
        SessionLogin current = current();
        return current == null ? null : current.principal();
    }

    /** The credential that the user delegated to the server; null if there is none. */
    public @Nullable GSSCredential delegatedCredential() {
        SessionLogin current = current();
        return current == null || current.credential() == null
                ? null
                : current.credential().get();
    }

    /**
     * The authentication method, such as BASIC; LOGIN after {@link #login} if the application has no login method; that of a
     * front end that authenticated the user; null if no user is logged in.
     */
    public @Nullable String authType() {
        SessionLogin current = current();
        return current == null ? null : current.authType();
    }

    /**
     * Implements {@code HttpServletRequest.isUserInRole}. If a servlet with run-as has dispatched the request, the target has
     * that role too.
     *
     * @param references the security-role-ref of the current servlet
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
     * Begins a dispatch by a servlet with a run-as role; null if the servlet has none.
     *
     * @return the argument for {@link #calledAsBefore}
     */
    public @Nullable String callAs(@Nullable String role) {
        String before = calledAs;
        if (role != null) {
            calledAs = role;
        }
        return before;
    }

    /** Ends a dispatch. */
    public void calledAsBefore(@Nullable String role) {
        calledAs = role;
    }

    private boolean hasRole(String role) {
        return principal() instanceof Identity identity && identity.roles().contains(role);
    }

    /** Logs in a user. An existing session gets a new id, against session fixation. */
    private void accept(
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
        if (login == null && !relayChecked) {
            relayChecked = true;
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

    /** The user whom a front end has authenticated; takes precedence over that of the session, which may be another. */
    private @Nullable SessionLogin relayed() {
        FrontEndUser user = request.relayedUser();
        if (user == null) {
            return null;
        }
        Identity identity = user.isMember() ? control.verifyRelayed(user.name()) : new Identity(user.name(), Set.of());
        String authType = user.authType() == null ? control.method().authType() : user.authType();
        return identity == null ? null : new SessionLogin(identity, authType);
    }

    /** The request as the login method sees it. */
    private final class Login implements LoginRequest {

        @Override
        public SecuredRequest request() {
            return request;
        }

        @Override
        public RequestSession session() {
            return session;
        }

        @Override
        public boolean isLoggedIn() {
            return principal() != null;
        }

        @Override
        public void accept(Identity identity, Proof.Password password) {
            RequestSecurity.this.accept(identity, true, null, password);
        }
    }
}
