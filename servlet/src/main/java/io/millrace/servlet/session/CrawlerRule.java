package io.millrace.servlet.session;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gives crawlers, which do not send session ids back, one short-lived session per client address, instead of one for each
 * request, as Tomcat's CrawlerSessionManagerValve does.
 *
 * @param userAgents matches the entire {@code User-Agent} field of a crawler
 * @param addresses matches the entire IP address of a crawler; null: crawlers are not detected by address
 * @param inactiveSeconds the idle timeout of such sessions, in seconds
 */
public record CrawlerRule(Pattern userAgents, @Nullable Pattern addresses, int inactiveSeconds) {

    /** A request with several User-Agent fields is not a crawler's by that field, as in Tomcat. */
    boolean includes(SessionCarrier request) {
        String agent = request.userAgent();
        return agent != null && userAgents.matcher(agent).matches()
                || addresses != null
                        && addresses.matcher(request.clientAddress()).matches();
    }
}
