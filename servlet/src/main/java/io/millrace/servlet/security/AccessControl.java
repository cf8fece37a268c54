package io.millrace.servlet.security;

import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.session.RequestSession;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The constraints and the login of one web application. Any thread. */
public final class AccessControl {

    private static final String BASIC = "BASIC";
    private static final String DEFAULT_REALM = "Authentication required";

    private final Constraints constraints;
    private final Set<String> declaredRoles;
    private final IdentityStore store;
    private final @Nullable String method;
    private final Verdict challenge;

    /**
     * Says in the log what will be refused, a login method that is not supported, and what is left open.
     *
     * @param applicationName for log lines
     */
    public AccessControl(WebAppModel model, String applicationName, IdentityStore store) {
        this.store = store;
        constraints = new Constraints(model);
        declaredRoles = Set.copyOf(model.securityRoles);
        LoginConfigModel login = model.loginConfig;
        method = login == null || login.method() == null
                ? null
                : login.method().trim().toUpperCase(Locale.ROOT);
        challenge = BASIC.equals(method) && login != null
                ? new Verdict.Challenged("Basic realm=" + quoted(login.realm()) + ", charset=\"UTF-8\"")
                // closed, not open: who can't prove who they are stays outside
                : new Verdict.Refused(403, "This resource needs a login, which is not possible here.");
        if (method != null && !method.equals(BASIC) && Constraints.needsLogin(model)) {
            SecurityLog.LOG.loginMethodNotSupported(applicationName, method);
        }
        constraints.forEachGap((pattern, methods) ->
                SecurityLog.LOG.uncoveredMethods(applicationName, pattern, String.join(", ", methods)));
    }

    /** One request's security. */
    public RequestSecurity of(SecurityCarrier carrier, RequestSession session) {
        return new RequestSecurity(this, carrier, session);
    }

    Demand demand(String httpMethod, String path) {
        return constraints.demand(httpMethod, path);
    }

    @Nullable
    Identity verify(String name, String password) {
        return store.verify(name, password);
    }

    /** The identity that the request's own credentials prove; null if it has none of the configured method. */
    @Nullable
    Identity authenticate(SecurityCarrier carrier) {
        BasicCredentials credentials =
                BASIC.equals(method) ? BasicCredentials.parse(carrier.header("Authorization")) : null;
        return credentials == null ? null : store.verify(credentials.name(), credentials.password());
    }

    /** What to answer who has not proved who they are. */
    Verdict challenge() {
        return challenge;
    }

    /** As getAuthType has it. */
    String authType() {
        return method == null ? "LOGIN" : method;
    }

    boolean declares(String role) {
        return declaredRoles.contains(role);
    }

    /** A quoted-string of printable ASCII (RFC 9110, 5.6.4). */
    private static String quoted(@Nullable String realm) {
        StringBuilder text = new StringBuilder("\"");
        for (char c : (realm == null || realm.isBlank() ? DEFAULT_REALM : realm.trim()).toCharArray()) {
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c >= 0x20 && c < 0x7f ? c : '?');
        }
        return text.append('"').toString();
    }
}
