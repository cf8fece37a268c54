package io.millrace.proxy;

import io.millrace.http.Headers;
import io.millrace.http.Tokens;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The hop-by-hop fields of a message, which are not forwarded (RFC 9110, 7.6.1): the well-known ones and those that Connection lists,
 * except fields on which a backend's decisions depend, and which a client must not be able to remove.
 */
final class HopByHop {

    /** From this length of Connection, its tokens are put into a set: scanning it for each field would take quadratic time. */
    private static final int LONG = 256;

    private final List<String> named;

    /** The tokens of a long Connection field; null for a short one. */
    private final @Nullable Set<String> many;

    HopByHop(Headers fields) {
        named = fields.all("Connection");
        int length = 0;
        for (String each : named) {
            length += each.length();
        }
        many = length > LONG ? tokens(named) : null;
    }

    private static Set<String> tokens(List<String> lists) {
        Set<String> tokens = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String list : lists) {
            for (String token : list.split(",", -1)) {
                tokens.add(token.strip());
            }
        }
        return tokens;
    }

    boolean contains(String name) {
        return isAlways(name) || !named.isEmpty() && isNamed(name) && !isNever(name);
    }

    private boolean isNamed(String name) {
        return many == null ? Tokens.contains(named, name) : many.contains(name);
    }

    /** Whether it is a well-known one. Switches on the length, so that most fields are compared with nothing. */
    static boolean isAlways(String name) {
        return switch (name.length()) {
            case 2 -> name.equalsIgnoreCase("TE");
            case 7 -> name.equalsIgnoreCase("Trailer") || name.equalsIgnoreCase("Upgrade");
            case 10 -> name.equalsIgnoreCase("Connection") || name.equalsIgnoreCase("Keep-Alive");
            case 14 -> name.equalsIgnoreCase("Content-Length") || name.equalsIgnoreCase("HTTP2-Settings");
            case 16 -> name.equalsIgnoreCase("Proxy-Connection");
            case 17 -> name.equalsIgnoreCase("Transfer-Encoding");
            case 18 -> name.equalsIgnoreCase("Proxy-Authenticate");
            case 19 -> name.equalsIgnoreCase("Proxy-Authorization");
            default -> false;
        };
    }

    private static boolean isNever(String name) {
        return name.equalsIgnoreCase("Authorization")
                || name.equalsIgnoreCase("Cookie")
                || name.equalsIgnoreCase("Forwarded")
                || name.equalsIgnoreCase("Host")
                || name.equalsIgnoreCase("Set-Cookie")
                || startsWith(name, "X-Forwarded-")
                || startsWith(name, "Content-")
                || startsWith(name, "Sec-WebSocket-");
    }

    private static boolean startsWith(String name, String start) {
        return name.regionMatches(true, 0, start, 0, start.length());
    }
}
