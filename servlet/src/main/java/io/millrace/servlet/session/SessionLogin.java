package io.millrace.servlet.session;

import java.io.Serializable;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Who logged in during a session, and how ({@code HttpServletRequest.getAuthType}). Goes with its session from server to
 * server if the principal can.
 *
 * @param credential what they delegated to the server; null: nothing
 */
public record SessionLogin(
        Principal principal, String authType, @Nullable DelegatedCredential credential) implements Serializable {

    /** Of somebody who delegated nothing. */
    public SessionLogin(Principal principal, String authType) {
        this(principal, authType, null);
    }
}
