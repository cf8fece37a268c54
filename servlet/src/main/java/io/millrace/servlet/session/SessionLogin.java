package io.millrace.servlet.session;

import java.io.Serializable;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * The user who logged in during a session. It is stored with the session if the principal is serializable.
 *
 * @param authType the authentication method ({@code HttpServletRequest.getAuthType})
 * @param credential the credential that the user delegated to the server; null if there is none
 */
public record SessionLogin(
        Principal principal, String authType, @Nullable DelegatedCredential credential) implements Serializable {

    /** A login without a delegated credential. */
    public SessionLogin(Principal principal, String authType) {
        this(principal, authType, null);
    }
}
