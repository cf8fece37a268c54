package io.millrace.forwarded;

import io.millrace.http.Authority;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.net.AddressSet;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates {@code Forwarded} (RFC 7239) from trusted front ends, and ignores {@code X-Forwarded-For} and related
 * fields: otherwise a client could choose the field that the front end does not overwrite. Elements are read from the
 * right, as long as each one was added by a trusted address; the last one read determines client, scheme and host. What
 * it does not contain remains unchanged; if the client is {@code unknown} or obfuscated, the client address remains that
 * of the front end. Immutable.
 */
public final class ForwardedField implements Relay {

    private final AddressSet trusted;

    private ForwardedField(AddressSet trusted) {
        this.trusted = trusted;
    }

    /** Trusts the front ends at these addresses. */
    public static ForwardedField trusting(AddressSet frontEnds) {
        return new ForwardedField(frontEnds);
    }

    @Override
    public @Nullable RelayedRequest before(RequestHead head, ConnectionInfo connection) {
        if (!trusted.contains(connection.remote())) {
            return null;
        }
        List<String> elements = ListField.elements(head.headers().all("Forwarded"));
        SocketAddress client = connection.remote();
        ForwardedElement last = null;
        for (int i = elements.size() - 1; i >= 0 && trusted.contains(client); i--) {
            ForwardedElement element = ForwardedElement.parse(elements.get(i));
            if (element == null) {
                break;
            }
            last = element;
            if (element.client() == null) {
                break;
            }
            client = element.client();
        }
        return last == null ? null : relayed(head, connection, client, last);
    }

    @Override
    public boolean trustsIds(ConnectionInfo connection) {
        return trusted.contains(connection.sender());
    }

    private static RelayedRequest relayed(
            RequestHead head, ConnectionInfo connection, SocketAddress client, ForwardedElement element) {
        String scheme = element.scheme() == null ? head.scheme() : element.scheme();
        String authority = element.host() == null ? head.authority() : element.host();
        boolean secure = element.scheme() == null ? connection.isSecure() : scheme.equals("https");
        return new RelayedRequest(
                head.with(scheme, authority, head.headers()),
                new RelayedInfo(connection, connection.local(), client, secure));
    }

    /**
     * An element of {@code Forwarded}, as added by one front end (RFC 7239, 4).
     *
     * @param client the peer from which it received the request; null if it is missing, {@code unknown} or obfuscated
     * @param scheme {@code http} or {@code https}; otherwise null
     * @param host the requested host, optionally with a port; null if it is missing or invalid
     */
    private record ForwardedElement(
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
}
