package io.millrace.servlet.settings;

import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/**
 * Redirects clients away from a node that is being drained, as Tomcat's LoadBalancerDrainingValve does. A load balancer sends
 * requests of existing sessions to such a node; if the session has ended there, the client is redirected to the same URL
 * without the session id, so that the balancer chooses another node. Over AJP, the balancer reports that a node is drained in
 * the request attribute {@value #ATTRIBUTE}.
 *
 * @param redirectStatus the status of the redirect, from 300 to 399; 307 keeps the method and the body
 * @param ignoreCookieName a cookie whose clients are not redirected, for tests of the node; null: there is none
 * @param ignoreCookieValue the value that the cookie must have; null: any value
 */
public record DrainingRule(
        int redirectStatus,
        @Nullable String ignoreCookieName,
        @Nullable String ignoreCookieValue) {

    /** The request attribute with the state of the node at the balancer. */
    public static final String ATTRIBUTE = "JK_LB_ACTIVATION";

    /** The state of a node that is being drained: it gets only requests of its sessions. */
    public static final String DRAINED = "DIS";

    /** Status 307, no cookie. */
    public static final DrainingRule DEFAULT = new DrainingRule(307, null, null);

    public DrainingRule {
        if (redirectStatus < 300 || redirectStatus > 399) {
            throw new IllegalArgumentException(
                    "the status of the redirect is " + redirectStatus + "; expected a number from 300 to 399");
        }
    }

    /** Whether a client that sends this cookie is not redirected. */
    public boolean ignores(Cookie cookie) {
        return cookie.getName().equals(ignoreCookieName)
                && (ignoreCookieValue == null || ignoreCookieValue.equals(cookie.getValue()));
    }
}
