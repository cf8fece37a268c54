package io.millrace.servlet.settings;

import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of clients that a load balancer sends to a node which is being drained, only because of a session that has ended
 * there: they are redirected to the same place without its id, so that the balancer chooses another node. What Tomcat's
 * LoadBalancerDrainingValve does. The balancer says that a node is drained by the request attribute {@value #ATTRIBUTE}, over
 * AJP.
 *
 * @param redirectStatus from 300 to 399; 307 keeps the method and the body
 * @param ignoreCookieName the name of a cookie with which clients stay, for those who test the node; null: there is none
 * @param ignoreCookieValue its value; null: whatever it is
 */
public record DrainingRule(
        int redirectStatus,
        @Nullable String ignoreCookieName,
        @Nullable String ignoreCookieValue) {

    /** What a balancer says of the node. */
    public static final String ATTRIBUTE = "JK_LB_ACTIVATION";

    /** Of a node that gets requests of its sessions alone. */
    public static final String DRAINED = "DIS";

    /** Nobody stays. */
    public static final DrainingRule DEFAULT = new DrainingRule(307, null, null);

    public DrainingRule {
        if (redirectStatus < 300 || redirectStatus > 399) {
            throw new IllegalArgumentException(
                    "the redirect's status is " + redirectStatus + "; expected a number from 300 to 399");
        }
    }

    /** Does a client stay that brings this cookie? */
    public boolean ignores(Cookie cookie) {
        return cookie.getName().equals(ignoreCookieName)
                && (ignoreCookieValue == null || ignoreCookieValue.equals(cookie.getValue()));
    }
}
