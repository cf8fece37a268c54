package io.millrace.connector.http2.hpack;

import io.millrace.http.FieldSyntax;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A field's name as it is sent, in lower case (RFC 9113, 8.2), and how its values are indexed.
 *
 * @param text in lower case
 * @param staticIndex its first index in the static table; 0 if it has none
 * @param indexing whether its values are, or must not be, added to dynamic tables
 */
public record FieldName(String text, int staticIndex, Indexing indexing) {

    /** How the values of a field are represented (RFC 7541, 6.2). */
    public enum Indexing {
        /** Added to the dynamic table: most responses of a site have the same value. */
        INDEXED,
        /** Not added: the values differ. */
        LITERAL,
        /** Never added, by intermediaries either: the compressed length would reveal the value (7.1.3). */
        NEVER
    }

    private static final Set<String> REPEATED = Set.of(
            ":status",
            "accept-ranges",
            "access-control-allow-credentials",
            "access-control-allow-headers",
            "access-control-allow-methods",
            "access-control-allow-origin",
            "access-control-expose-headers",
            "access-control-max-age",
            "allow",
            "alt-svc",
            "cache-control",
            "content-encoding",
            "content-language",
            "content-security-policy",
            "content-type",
            "cross-origin-embedder-policy",
            "cross-origin-opener-policy",
            "cross-origin-resource-policy",
            "date",
            "expires",
            "permissions-policy",
            "pragma",
            "referrer-policy",
            "server",
            "strict-transport-security",
            "vary",
            "via",
            "x-content-type-options",
            "x-frame-options",
            "x-powered-by",
            "x-xss-protection");

    private static final Set<String> SECRET =
            Set.of("authorization", "authentication-info", "cookie", "proxy-authorization", "set-cookie");

    /** The limit of the cache, for applications that generate names. */
    private static final int MAX_KNOWN = 1024;

    private static final Map<String, FieldName> KNOWN = new ConcurrentHashMap<>();

    /** The name for a string of an application; null if it is not a token. Thread-safe. */
    public static @Nullable FieldName of(String name) {
        FieldName known = KNOWN.get(name);
        if (known != null || !FieldSyntax.isToken(name)) {
            return known;
        }
        FieldName created = create(name.toLowerCase(Locale.ROOT));
        if (KNOWN.size() < MAX_KNOWN) {
            KNOWN.put(name, created);
        }
        return created;
    }

    /** A pseudo-header field's name, such as {@code :status}. */
    public static FieldName pseudo(String text) {
        return create(text);
    }

    private static FieldName create(String text) {
        Indexing indexing =
                REPEATED.contains(text) ? Indexing.INDEXED : SECRET.contains(text) ? Indexing.NEVER : Indexing.LITERAL;
        int index = StaticTable.find(text);
        return new FieldName(index == 0 ? text : StaticTable.name(index), index, indexing);
    }
}
