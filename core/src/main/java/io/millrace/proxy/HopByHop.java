package io.millrace.proxy;

import io.millrace.http.Headers;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Fields that are about one connection, and are not passed on (RFC 9110, 7.6.1): those known to be, and those that Connection names;
 * except fields that no client may make us drop, since a backend decides by them.
 */
final class HopByHop {

    private static final Set<String> ALWAYS = names(
            "Connection",
            "Content-Length",
            "HTTP2-Settings",
            "Keep-Alive",
            "Proxy-Authenticate",
            "Proxy-Authorization",
            "Proxy-Connection",
            "TE",
            "Trailer",
            "Transfer-Encoding",
            "Upgrade");

    private static final Set<String> NEVER = names("Authorization", "Cookie", "Forwarded", "Host", "Set-Cookie");

    private final Set<String> named = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    HopByHop(Headers fields) {
        for (String value : fields.all("Connection")) {
            for (String token : value.split(",", -1)) {
                named.add(token.strip());
            }
        }
        named.removeIf(name -> NEVER.contains(name) || isKept(name.toLowerCase(Locale.ROOT)));
    }

    private static boolean isKept(String name) {
        return name.startsWith("x-forwarded-") || name.startsWith("content-") || name.startsWith("sec-websocket-");
    }

    boolean contains(String name) {
        return ALWAYS.contains(name) || named.contains(name);
    }

    private static Set<String> names(String... names) {
        Set<String> all = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        all.addAll(Set.of(names));
        return all;
    }
}
