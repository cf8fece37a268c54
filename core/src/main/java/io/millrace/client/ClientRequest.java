package io.millrace.client;

import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.io.ConnectionInfo;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request without its body. Checked when it is made: whatever is in it, it stays one request.
 *
 * @param method a token
 * @param target path and query, beginning with a slash, or {@code *} for OPTIONS
 * @param headers with Host; without those of message framing, which the protocol writes: Connection,
 *     Content-Length, Keep-Alive, Transfer-Encoding, Upgrade
 * @param contentLength bytes of the body; 0 if there is none, -1 if its length is not known
 * @param upgrade the protocol to switch to (RFC 9110, 7.8), {@code websocket} for example; null for none. Such a request has no
 *     body
 * @param client the connection of whom the request is passed on for: protocols that tell servers of it, by more than header
 *     fields, need it; null for requests of our own
 * @param attributes what a front end tells servers beside header fields, by protocols that have attributes (AJP); others send none
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
     * Checks all of it.
     *
     * @throws IllegalArgumentException if it can't be sent
     */
    public ClientRequest {
        require(
                FieldSyntax.isToken(method) && !method.equals(Method.CONNECT),
                "the method must be a token, not CONNECT");
        require(isTarget(target), "the target must begin with / and be of visible ASCII characters");
        require(contentLength >= -1, "the content length is negative");
        require(upgrade == null || FieldSyntax.isToken(upgrade) && contentLength == 0, "an upgrade has no body");
        int hosts = 0;
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.name(i);
            hosts += name.equalsIgnoreCase("Host") ? 1 : 0;
            if (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(headers.value(i)) || isOwn(name)) {
                throw new IllegalArgumentException(
                        "the header field " + name + " can't be sent: its name must be a"
                                + " token and none that frames the message, its value without control characters (RFC 9110, 5)");
            }
        }
        attributes.forEach((name, value) -> require(
                FieldSyntax.isToken(name) && FieldSyntax.isValue(value), "the attribute " + name + " can't be sent"));
        attributes = Map.copyOf(attributes);
        require(hosts == 1, "there must be one Host field (RFC 9112, 3.2)");
    }

    /**
     * A request of our own.
     *
     * @throws IllegalArgumentException if it can't be sent
     */
    public ClientRequest(String method, String target, Headers headers, long contentLength, @Nullable String upgrade) {
        this(method, target, headers, contentLength, upgrade, null, Map.of());
    }

    /** Does the protocol write it? By its length first: most fields have none of these, and are compared with nothing. */
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

    /** Does a body follow? */
    public boolean hasBody() {
        return contentLength != 0;
    }
}
