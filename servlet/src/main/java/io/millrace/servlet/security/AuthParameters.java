package io.millrace.servlet.security;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The comma-separated parameters of an {@code Authorization} field (RFC 9110, 11.2), tokens or quoted strings. */
final class AuthParameters {

    private final String text;
    private final Map<String, String> values = new HashMap<>();
    private int at;

    private AuthParameters(String text, int from) {
        this.text = text;
        at = from;
    }

    /**
     * The parameters, with names in lower case; null if the field is absent, of another scheme, malformed, or repeats a
     * parameter.
     */
    static @Nullable Map<String, String> parse(String scheme, @Nullable String field) {
        int length = scheme.length();
        if (field == null || !field.regionMatches(true, 0, scheme + " ", 0, length + 1)) {
            return null;
        }
        AuthParameters reading = new AuthParameters(field, length);
        return reading.read() ? reading.values : null;
    }

    private boolean read() {
        skip(" \t,");
        while (at < text.length()) {
            int equals = text.indexOf('=', at);
            if (equals < 0) {
                return false;
            }
            String name = text.substring(at, equals).trim().toLowerCase(Locale.ROOT);
            at = equals + 1;
            skip(" \t");
            String value = at < text.length() && text.charAt(at) == '"' ? quoted() : token();
            if (name.isEmpty() || value == null || values.put(name, value) != null) {
                return false;
            }
            skip(" \t");
            if (at < text.length() && text.charAt(at) != ',') {
                return false;
            }
            skip(" \t,");
        }
        return !values.isEmpty();
    }

    private String token() {
        int start = at;
        while (at < text.length() && ", \t".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(start, at);
    }

    private @Nullable String quoted() {
        StringBuilder value = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return value.toString();
            }
            if (c == '\\' && at + 1 < text.length()) {
                at++;
                c = text.charAt(at);
            }
            value.append(c);
        }
        return null; // not closed
    }

    private void skip(String characters) {
        while (at < text.length() && characters.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }
}
