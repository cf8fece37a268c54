package io.millrace.protocol.mux;

/**
 * The connection-specific fields of HTTP/1.1: a response on a stream has none of them, and a request with one is malformed
 * (RFC 9113, 8.2.2).
 */
public final class ConnectionFields {

    private ConnectionFields() {}

    /** Whether a name is one of these, ignoring case. Content-Length is not. */
    public static boolean contains(String name) {
        return switch (name.length()) {
            case 7 -> name.equalsIgnoreCase("Upgrade");
            case 10 -> name.equalsIgnoreCase("Connection") || name.equalsIgnoreCase("Keep-Alive");
            case 16 -> name.equalsIgnoreCase("Proxy-Connection");
            case 17 -> name.equalsIgnoreCase("Transfer-Encoding");
            default -> false;
        };
    }
}
