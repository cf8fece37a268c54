package io.millrace.servlet.security;

import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.session.RequestSession;

/** The constraints and the login of one web application. Any thread. */
public final class AccessControl {

    /**
     * Says in the log what will be refused: a login method that is not supported (its constrained resources answer 403),
     * uncovered methods.
     *
     * @param applicationName for log lines
     * @param redirectPort where https is served; 0: nowhere, such requests answer 403
     */
    public AccessControl(WebAppModel model, String applicationName, IdentityStore store, int redirectPort) {}

    /** One request's security. */
    public RequestSecurity of(SecurityCarrier carrier, RequestSession session) {
        return new RequestSecurity(this, carrier, session);
    }
}
