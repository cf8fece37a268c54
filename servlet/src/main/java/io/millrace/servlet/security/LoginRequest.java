package io.millrace.servlet.security;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.session.RequestSession;

/** A request as seen by a login method. */
interface LoginRequest {

    SecuredRequest request();

    RequestSession session();

    boolean isLoggedIn();

    /** Logs in a user who was authenticated by a password. */
    void accept(Identity identity, Proof.Password password);
}
