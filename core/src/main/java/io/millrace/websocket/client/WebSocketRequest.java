package io.millrace.websocket.client;

import io.millrace.http.Authority;
import io.millrace.http.Headers;
import io.millrace.websocket.WebSocketOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The request for a WebSocket connection.
 *
 * @param uri {@code ws://host[:port]/path?query} or {@code wss:}, without a fragment (RFC 6455, 3)
 * @param fields further header fields: Authorization, Cookie, Origin; without those of the handshake itself
 * @param options of the connection; their subprotocols are offered
 * @param timeout from the start to the server's response
 */
public record WebSocketRequest(URI uri, Headers fields, WebSocketOptions options, Duration timeout) {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    /** Validates the URI. */
    public WebSocketRequest {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("ws") && !scheme.equals("wss") || uri.getHost() == null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "the URI is " + uri + "; expected ws://host/path or wss://host/path, without a fragment");
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "the URI contains user information; use the header field Authorization instead (RFC 9110, 4.2.4)");
        }
    }

    /** A request for this URI, with default options and a timeout of ten seconds. */
    public static WebSocketRequest to(String uri) {
        return new WebSocketRequest(URI.create(uri), new Headers(), WebSocketOptions.DEFAULT, DEFAULT_TIMEOUT);
    }

    /** The same request with other options. */
    public WebSocketRequest withOptions(WebSocketOptions other) {
        return new WebSocketRequest(uri, fields, other, timeout);
    }

    /** The same request with another header field. */
    public WebSocketRequest withField(String name, String value) {
        return new WebSocketRequest(uri, fields.copy().add(name, value), options, timeout);
    }

    /** The same request with another timeout. */
    public WebSocketRequest withTimeout(Duration other) {
        return new WebSocketRequest(uri, fields, options, other);
    }

    boolean isSecure() {
        return "wss".equalsIgnoreCase(uri.getScheme());
    }

    /** Without the brackets of an IPv6 address. */
    String host() {
        String host = uri.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    int port() {
        int given = uri.getPort();
        return given >= 0 ? given : Authority.defaultPort(isSecure());
    }

    /** The value of the Host field: without the scheme's default port (RFC 6455, 4.1). */
    String authority() {
        int given = uri.getPort();
        boolean usual = given < 0 || given == Authority.defaultPort(isSecure());
        return usual ? uri.getHost() : uri.getHost() + ":" + given;
    }

    String target() {
        String path = uri.getRawPath();
        String target = path == null || path.isEmpty() ? "/" : path;
        @Nullable String query = uri.getRawQuery();
        return query == null ? target : target + "?" + query;
    }
}
