package io.millrace.proxy;

import io.millrace.http.Headers;
import io.millrace.http.Tokens;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Fields that are about one connection, and are not passed on (RFC 9110, 7.6.1): those known to be, and those that Connection names;
 * except fields that no client may make us drop, since a backend decides by them.
 */
final class HopByHop {

    /** Characters of a Connection that is not as usual: to look through it for each field would be work by the square of what was sent. */
    private static final int LONG = 256;

    private final List<String> named;

    /** What a long one names; null for one that is not. */
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

    /** By its length first: most fields have none of these, and are compared with nothing. */
    private static boolean isAlways(String name) {
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
