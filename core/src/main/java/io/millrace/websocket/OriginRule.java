package io.millrace.websocket;

import io.millrace.http.RequestHead;
import java.net.URI;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The origins from which browsers may connect (RFC 6455, 10.2). The same-origin policy does not restrict WebSockets:
 * without such a rule, any page can open a connection with the cookies of its visitors. Clients other than browsers send
 * no Origin, and are not checked.
 */
@FunctionalInterface
public interface OriginRule {

    /** Allows all origins. */
    OriginRule ANY = (origin, request) -> true;

    /** Allows the origin's host to be that of the request, with any port, and http or https. */
    OriginRule SAME_HOST = (origin, request) -> isSameHost(origin, request.authority());

    /**
     * Whether pages of this origin may connect.
     *
     * @param origin as sent: {@code https://example.org}, or the text {@code null} for an opaque origin
     * @param request the request of the handshake
     */
    boolean allows(String origin, RequestHead request);

    /**
     * Allows these origins, in the notation of browsers.
     *
     * @param origins {@code https://example.org} or {@code http://localhost:8080}, for example
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
