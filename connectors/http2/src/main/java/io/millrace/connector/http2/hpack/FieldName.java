package io.millrace.connector.http2.hpack;

import io.millrace.http.FieldSyntax;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A field's name as it is sent, in lower case (RFC 9113, 8.2), and what is known of its values.
 *
 * @param text in lower case
 * @param staticIndex where the static table names it first; 0 if it does not
 * @param indexing whether its values are worth to be remembered, or must not be
 */
public record FieldName(String text, int staticIndex, Indexing indexing) {

    /** How the values of a field are represented (RFC 7541, 6.2). */
    public enum Indexing {
        /** Most responses of a site have the same one. */
        REMEMBERED,
        /** They differ. */
        LITERAL,
        /** Whoever forwards them must not compress them either: their lengths would tell what they hold (7.1.3). */
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

    /** An application that makes names up has no more than this of them kept. */
    private static final int MOST_KNOWN = 1024;

    private static final Map<String, FieldName> KNOWN = new ConcurrentHashMap<>();

    /** The name that an application has written; null if that is no token. Any thread. */
    public static @Nullable FieldName of(String written) {
        FieldName known = KNOWN.get(written);
        if (known != null || !FieldSyntax.isToken(written)) {
            return known;
        }
        FieldName name = make(written.toLowerCase(Locale.ROOT));
        if (KNOWN.size() < MOST_KNOWN) {
            KNOWN.put(written, name);
        }
        return name;
    }

    /** A pseudo-header field's name, such as {@code :status}. */
    public static FieldName pseudo(String text) {
        return make(text);
    }

    private static FieldName make(String text) {
        Indexing indexing = REPEATED.contains(text)
                ? Indexing.REMEMBERED
                : SECRET.contains(text) ? Indexing.NEVER : Indexing.LITERAL;
        int index = StaticTable.find(text);
        return new FieldName(index == 0 ? text : StaticTable.name(index), index, indexing);
    }
}
