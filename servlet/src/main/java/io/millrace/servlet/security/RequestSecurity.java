package io.millrace.servlet.security;

import io.millrace.servlet.session.RequestSession;
import java.security.Principal;
import java.util.Map;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/** Who makes one request, and whether they may. Not for two threads at once. */
@SuppressWarnings("DoNotCallSuggester")
public final class RequestSecurity {

    RequestSecurity(AccessControl control, SecurityCarrier carrier, RequestSession session) {}

    /**
     * Matches the constraints and authenticates if they ask for it. Once, before the first filter; dispatches are not
     * checked again (Servlet 3.1, 13.2). May block in the identity store.
     */
    public Verdict admit() {
        throw new UnsupportedOperationException();
    }

    /** HttpServletRequest.authenticate: authenticates, constrained or not. */
    public Verdict authenticate() {
        throw new UnsupportedOperationException();
    }

    /**
     * HttpServletRequest.login; a session there is gets a new id and remembers the identity.
     *
     * @throws ServletException if the credentials are wrong, or somebody is logged in already
     */
    public void login(String name, String password) throws ServletException {
        throw new UnsupportedOperationException();
    }

    /** HttpServletRequest.logout. */
    public void logout() {
        throw new UnsupportedOperationException();
    }

    public @Nullable Principal principal() {
        throw new UnsupportedOperationException();
    }

    /** BASIC, or LOGIN after {@link #login} where no method is configured; null if nobody is logged in. */
    public @Nullable String authType() {
        throw new UnsupportedOperationException();
    }

    /**
     * HttpServletRequest.isUserInRole.
     *
     * @param references the current servlet's security-role-ref
     */
    public boolean isUserInRole(String role, Map<String, String> references) {
        throw new UnsupportedOperationException();
    }
}
