package io.millrace.client;

import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.io.ConnectionInfo;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request. Validated on construction, so that its contents cannot change the framing (request smuggling).
 *
 * @param method a token, but not CONNECT
 * @param target path and query, beginning with a slash, or {@code *} for OPTIONS
 * @param headers the fields, including one Host; without those that the protocol writes: Connection, Content-Length,
 *     Keep-Alive, Transfer-Encoding, Upgrade
 * @param contentLength the length of the body in bytes; 0 if there is none, -1 if unknown
 * @param upgrade the protocol to switch to (RFC 9110, 7.8), {@code websocket} for example; null for none. Such a request
 *     has no body
 * @param client the connection of the client for which the request is forwarded, for protocols that report it other than
 *     in header fields (AJP); null for the server's own requests
 * @param attributes request attributes, for protocols that have them (AJP); others ignore them
 */
public record ClientRequest(
        String method,
        String target,
        Headers headers,
        long contentLength,
        @Nullable String upgrade,
        @Nullable ConnectionInfo client,
        Map<String, String> attributes) {

    /**
     * Validates the request.
     *
     * @throws IllegalArgumentException if it cannot be sent
     */
    public ClientRequest {
        require(
                FieldSyntax.isToken(method) && !method.equals(Method.CONNECT),
                "the method must be a token, not CONNECT");
        require(
                isTarget(target),
                "the target must be * or begin with /, and consist of visible ASCII characters without #");
        require(contentLength >= -1, "the content length must be at least -1, which means unknown");
        require(
                upgrade == null || FieldSyntax.isToken(upgrade) && contentLength == 0,
                "a request with an upgrade must not have a body, and names the protocol by a token");
        int hosts = 0;
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.name(i);
            hosts += name.equalsIgnoreCase("Host") ? 1 : 0;
            if (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(headers.value(i)) || isOwn(name)) {
                throw new IllegalArgumentException("the header field " + name + " cannot be sent: its name must be a"
                        + " token, and not one that the protocol writes; its value must not contain control"
                        + " characters (RFC 9110, 5)");
            }
        }
        attributes.forEach(
                (name, value) -> require(
                        FieldSyntax.isToken(name) && FieldSyntax.isValue(value),
                        "the attribute " + name
                                + " cannot be sent: its name must be a token, and its value must not contain control characters"));
        attributes = Map.copyOf(attributes);
        require(hosts == 1, "the request must have exactly one Host field (RFC 9112, 3.2)");
    }

    /**
     * A request of the server's own.
     *
     * @throws IllegalArgumentException if it cannot be sent
     */
    public ClientRequest(String method, String target, Headers headers, long contentLength, @Nullable String upgrade) {
        this(method, target, headers, contentLength, upgrade, null, Map.of());
    }

    /** Whether the protocol writes this field. Most names are ruled out by their length, without a comparison. */
    private static boolean isOwn(String name) {
        return switch (name.length()) {
            case 7 -> name.equalsIgnoreCase("Upgrade");
            case 10 -> name.equalsIgnoreCase("Connection") || name.equalsIgnoreCase("Keep-Alive");
            case 14 -> name.equalsIgnoreCase("Content-Length");
            case 17 -> name.equalsIgnoreCase("Transfer-Encoding");
            default -> false;
        };
    }

    private static boolean isTarget(String target) {
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#') {
                return false;
            }
        }
        return target.startsWith("/") || target.equals("*");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Whether the request has a body. */
    public boolean hasBody() {
        return contentLength != 0;
    }
}
