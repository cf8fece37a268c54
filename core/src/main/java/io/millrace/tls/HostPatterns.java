package io.millrace.tls;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Selects the host for a name: the exact name, or the wildcard for its first label (RFC 6125, 6.4.3: one label, on the
 * left).
 */
public final class HostPatterns {

    private HostPatterns() {}

    /** Validates a host name. */
    static String checked(String name) {
        String plain = name.startsWith("*.") ? name.substring(2) : name;
        boolean valid = !plain.isEmpty()
                && plain.length() <= 253
                && plain.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '*' && c != '/' && c != ':');
        if (!valid) {
            throw new IllegalArgumentException("the TLS host name is \"" + name
                    + "\"; expected a host name, or one like *.example.com (names outside ASCII as punycode)");
        }
        return name;
    }

    /** The name in lower case without a trailing dot. */
    public static String normal(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    static <T> Optional<T> find(String name, Collection<T> hosts, Function<T, String> nameOf) {
        String exact = normal(name);
        String wildcard = wildcard(exact);
        T found = null;
        for (T host : hosts) {
            if (nameOf.apply(host).equals(exact)) {
                return Optional.of(host);
            }
            if (nameOf.apply(host).equals(wildcard)) {
                found = host;
            }
        }
        return Optional.ofNullable(found);
    }

    /** The wildcard of a name: {@code *.example.com} for {@code www.example.com}. */
    public static String wildcard(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : "*" + name.substring(dot);
    }
}
