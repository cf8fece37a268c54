package io.millrace.forwarded;

import io.millrace.http.Authority;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one front end added to {@code Forwarded} (RFC 7239, 4).
 *
 * @param client whom it had the request from; null if it doesn't say, or says {@code unknown} or something of its own
 * @param scheme {@code http} or {@code https}; null for neither
 * @param host what the request was sent to, perhaps with a port; null if that is missing or no host
 */
record ForwardedElement(
        @Nullable SocketAddress client,
        @Nullable String scheme,
        @Nullable String host) {

    /** Parses one element; null if it breaks the syntax, or says something twice. */
    static @Nullable ForwardedElement parse(String text) {
        Map<String, String> pairs = new Pairs(text).read();
        if (pairs == null) {
            return null;
        }
        Hop hop = Hop.parse(pairs.getOrDefault("for", ""));
        String proto = pairs.getOrDefault("proto", "").toLowerCase(Locale.ROOT);
        String host = pairs.get("host");
        return new ForwardedElement(
                hop == null ? null : hop.address(),
                proto.equals("http") || proto.equals("https") ? proto : null,
                host != null && Authority.isValid(host) ? host : null);
    }

    /** {@code name=value;name="value"}: at one place in its text. */
    private static final class Pairs {

        private final String text;
        private final Map<String, String> pairs = new HashMap<>();
        private int at;

        Pairs(String text) {
            this.text = text;
        }

        @Nullable
        Map<String, String> read() {
            while (at < text.length()) {
                String name = token().toLowerCase(Locale.ROOT);
                if (name.isEmpty() || !skip('=')) {
                    return null;
                }
                String value = peek() == '"' ? quoted() : token();
                if (value == null || value.isEmpty() || pairs.put(name, value) != null) {
                    return null;
                }
                blanks();
                if (at < text.length() && !skip(';')) {
                    return null;
                }
                blanks();
            }
            return pairs;
        }

        private String token() {
            int from = at;
            while (at < text.length() && isTokenChar(text.charAt(at))) {
                at++;
            }
            return text.substring(from, at);
        }

        private @Nullable String quoted() {
            StringBuilder value = new StringBuilder();
            for (at++; at < text.length(); at++) {
                char c = text.charAt(at);
                if (c == '"') {
                    at++;
                    return value.toString();
                }
                if (c == '\\' && ++at == text.length()) {
                    return null;
                }
                value.append(text.charAt(at));
            }
            return null;
        }

        private void blanks() {
            while (peek() == ' ' || peek() == '\t') {
                at++;
            }
        }

        private boolean skip(char wanted) {
            boolean there = peek() == wanted;
            at += there ? 1 : 0;
            return there;
        }

        /** The next character; 0 at the end. */
        private char peek() {
            return at < text.length() ? text.charAt(at) : 0;
        }

        /** RFC 9110, 5.6.2. */
        private static boolean isTokenChar(char c) {
            return c > ' ' && c < 0x7f && "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
        }
    }
}
