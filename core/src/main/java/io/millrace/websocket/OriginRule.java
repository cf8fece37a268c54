package io.millrace.websocket;

import io.millrace.http.RequestHead;
import java.net.URI;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * From which pages browsers may connect (RFC 6455, 10.2): the same-origin policy does not restrict WebSockets, so without
 * such a rule any page can use the cookies of its visitors. Clients that are no browsers send no Origin and are not asked.
 */
@FunctionalInterface
public interface OriginRule {

    /** Every page may. */
    OriginRule ANY = (origin, request) -> true;

    /** Pages of the host that the handshake was sent to, on any port and by http or https. */
    OriginRule SAME_HOST = (origin, request) -> isSameHost(origin, request.authority());

    /**
     * Is a page of this origin allowed to connect?
     *
     * @param origin as sent: {@code https://example.org}, or {@code null} as a text, for pages without an origin
     */
    boolean allows(String origin, RequestHead request);

    /**
     * Pages of these origins, as browsers write them.
     *
     * @param origins for example {@code https://example.org} or {@code http://localhost:8080}
     */
    static OriginRule of(Collection<String> origins) {
        Set<String> allowed =
                origins.stream().map(origin -> origin.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        return (origin, request) -> allowed.contains(origin.toLowerCase(Locale.ROOT));
    }

    private static boolean isSameHost(String origin, @Nullable String authority) {
        if (authority == null) {
            return false;
        }
        try {
            String from = URI.create(origin).getHost();
            String to = URI.create("http://" + authority).getHost();
            return from != null && from.equalsIgnoreCase(to);
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
