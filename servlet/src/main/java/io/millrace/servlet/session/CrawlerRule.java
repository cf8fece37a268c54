package io.millrace.servlet.session;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which clients are crawlers, that never send a session's id back: those of one address have one session, which lives for a
 * short time, instead of one for each request. What Tomcat's CrawlerSessionManagerValve does.
 *
 * @param userAgents matches the whole {@code User-Agent} field of a crawler
 * @param addresses matches the whole address of a crawler; null: none by its address
 * @param inactiveSeconds how long such a session lives unused
 */
public record CrawlerRule(Pattern userAgents, @Nullable Pattern addresses, int inactiveSeconds) {

    /** A request with several User-Agent fields is none of a crawler, as in Tomcat. */
    boolean includes(SessionCarrier request) {
        String agent = request.userAgent();
        return agent != null && userAgents.matcher(agent).matches()
                || addresses != null
                        && addresses.matcher(request.clientAddress()).matches();
    }
}
