package io.millrace.rewrite;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flag {@code CO=NAME:VALUE:domain:lifetime:path:secure:httponly}, of which all parts but the first two are optional.
 *
 * @param value a template
 * @param lifetime in seconds, as in Tomcat; -1 for a session cookie
 */
record CookieFlag(
        String name,
        String value,
        @Nullable String domain,
        int lifetime,
        @Nullable String path,
        boolean secure,
        boolean httpOnly) {

    static CookieFlag parse(String text) {
        List<String> parts = List.of(text.split(":", -1));
        if (parts.size() < 2 || parts.get(0).isEmpty()) {
            throw new IllegalArgumentException(
                    "flag CO=" + text + ": expected CO=NAME:VALUE:domain:lifetime:path:secure:httponly");
        }
        try {
            String lifetime = part(parts, 3);
            return new CookieFlag(
                    parts.get(0),
                    parts.get(1),
                    part(parts, 2),
                    lifetime == null ? -1 : Integer.parseInt(lifetime),
                    part(parts, 4),
                    isTrue(parts, 5),
                    isTrue(parts, 6));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("flag CO=" + text + ": the lifetime is not a number", e);
        }
    }

    /** The value of a Set-Cookie field. */
    String field(String expanded) {
        StringBuilder field = new StringBuilder(name)
                .append('=')
                .append(UrlText.unescaped(expanded).replace(";", "%3B"));
        append("Domain", domain, field);
        append("Max-Age", lifetime < 0 ? null : String.valueOf(lifetime), field);
        append("Path", path, field);
        return field.append(secure ? "; Secure" : "")
                .append(httpOnly ? "; HttpOnly" : "")
                .toString();
    }

    private static void append(String attribute, @Nullable String text, StringBuilder field) {
        if (text != null) {
            field.append("; ").append(attribute).append('=').append(text);
        }
    }

    private static @Nullable String part(List<String> parts, int index) {
        return index < parts.size() && !parts.get(index).isEmpty() ? parts.get(index) : null;
    }

    private static boolean isTrue(List<String> parts, int index) {
        return Boolean.parseBoolean(part(parts, index));
    }
}
