package io.millrace.servlet.session;

import java.io.Serializable;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * The user who logged in during a session. It is stored with the session if the principal is serializable.
 *
 * @param authType the authentication method ({@code HttpServletRequest.getAuthType})
 * @param credential the credential that the user delegated to the server; null if there is none
 * @param group the {@linkplain SessionGroup#name name} of the group that the session is in; null if it is in none that other
 *     servers know
 */
public record SessionLogin(
        Principal principal,
        String authType,
        @Nullable DelegatedCredential credential,
        @Nullable String group) implements Serializable {

    /** A login without a delegated credential. */
    public SessionLogin(Principal principal, String authType) {
        this(principal, authType, null);
    }

    /** A login of one application. */
    public SessionLogin(Principal principal, String authType, @Nullable DelegatedCredential credential) {
        this(principal, authType, credential, null);
    }

    /** The same login, of a session in a group. */
    SessionLogin in(@Nullable SessionGroup of) {
        return new SessionLogin(principal, authType, credential, of == null ? null : of.name());
    }
}
