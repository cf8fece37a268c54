package io.millrace.servlet.security;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.session.RequestSession;

/** A request as a login method sees it. */
record LoginRequest(RequestSecurity security, SecuredRequest request, RequestSession session) {

    /** Somebody proved who they are. */
    void accept(Identity identity) {
        security.accept(identity, true, null);
    }

    boolean isLoggedIn() {
        return security.principal() != null;
    }
}
