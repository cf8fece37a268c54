package io.millrace.websocket.client;

import io.millrace.http.Headers;
import io.millrace.websocket.WebSocketHandshakeException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;

/** A redirect in response to a handshake (RFC 9110, 15.4). */
final class Redirect {

    private static final List<Integer> STATUSES = List.of(301, 302, 303, 307, 308);

    /** Fields that are sent only to the origin of the application's URI. */
    private static final List<String> PRIVATE = List.of("Authorization", "Cookie", "Proxy-Authorization");

    private Redirect() {}

    static boolean isOne(WebSocketHandshakeException response) {
        return STATUSES.contains(response.status());
    }

    /**
     * The request that follows the redirect.
     *
     * @throws WebSocketHandshakeException if Location is missing or invalid, or TLS would be lost
     */
    static WebSocketRequest of(WebSocketRequest from, WebSocketHandshakeException response)
            throws WebSocketHandshakeException {
        List<String> locations = response.fields().all("Location");
        if (locations.size() != 1) {
            throw refused(locations.size() + " Location fields; expected one", response);
        }
        WebSocketRequest to;
        try {
            to = new WebSocketRequest(uri(from.uri(), locations.get(0)), from.fields(), from.options(), from.timeout());
        } catch (URISyntaxException | IllegalArgumentException wrong) {
            throw refused("a Location that is not a WebSocket URI: " + wrong.getMessage(), response);
        }
        if (from.isSecure() && !to.isSecure()) {
            throw refused("a Location without TLS, " + to.uri() + ", although the request used TLS", response);
        }
        return isSameOrigin(from, to)
                ? to
                : new WebSocketRequest(to.uri(), withoutPrivateFields(to), to.options(), to.timeout());
    }

    private static URI uri(URI from, String location) throws URISyntaxException {
        URI to = new URI(location.strip());
        // java.net.URI resolves a lone query against the parent path, as specified by RFC 2396
        URI target = location.startsWith("?") ? new URI(from.getRawPath() + location) : to;
        URI absolute = from.resolve(target);
        String scheme = String.valueOf(absolute.getScheme()).toLowerCase(Locale.ROOT);
        String webSocketScheme = scheme.equals("http") ? "ws" : scheme.equals("https") ? "wss" : scheme;
        String rest = absolute.getRawSchemeSpecificPart(); // without the fragment, which is not sent
        return new URI(webSocketScheme + ':' + rest);
    }

    static boolean isSameOrigin(WebSocketRequest one, WebSocketRequest other) {
        return one.isSecure() == other.isSecure()
                && one.port() == other.port()
                && one.host().equalsIgnoreCase(other.host());
    }

    private static Headers withoutPrivateFields(WebSocketRequest to) {
        Headers fields = to.fields().copy();
        PRIVATE.forEach(fields::remove);
        return fields;
    }

    private static WebSocketHandshakeException refused(String found, WebSocketHandshakeException response) {
        return new WebSocketHandshakeException(
                "the server answered with status " + response.status() + " and " + found,
                response.status(),
                response.fields());
    }
}
