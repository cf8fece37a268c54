package io.millrace.forwarded;

import io.millrace.http.Authority;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An element of {@code Forwarded}, as added by one front end (RFC 7239, 4).
 *
 * @param client the peer from which it received the request; null if it is missing, {@code unknown} or obfuscated
 * @param scheme {@code http} or {@code https}; otherwise null
 * @param host the requested host, optionally with a port; null if it is missing or invalid
 */
record ForwardedElement(
        @Nullable SocketAddress client,
        @Nullable String scheme,
        @Nullable String host) {

    /** Parses an element; null if it is malformed, or a parameter occurs twice. */
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

    /** A parser of {@code name=value;name="value"}. */
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
            boolean found = peek() == wanted;
            at += found ? 1 : 0;
            return found;
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
