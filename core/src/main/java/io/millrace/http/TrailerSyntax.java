package io.millrace.http;

import java.util.Locale;
import java.util.Set;

/** Which fields may come after a body (RFC 9110, 6.5.1). */
public final class TrailerSyntax {

    /**
     * What must be known before the body, or says where it ends (RFC 9110, 6.5.1): a client may merge trailers into the head,
     * and an application that passes on what it was given must not be able to change the head's meaning.
     */
    private static final Set<String> HEAD_ONLY = Set.of(
            "age",
            "cache-control",
            "connection",
            "content-encoding",
            "content-length",
            "content-range",
            "content-type",
            "date",
            "expires",
            "host",
            "keep-alive",
            "location",
            "pragma",
            "proxy-authenticate",
            "retry-after",
            "set-cookie",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "vary",
            "www-authenticate");

    private TrailerSyntax() {}

    /** May a field of this name, in any case, be sent as a trailer? */
    public static boolean isAllowed(String name) {
        return !HEAD_ONLY.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Those that may be sent as trailers, in order; the same object if all may. */
    public static Headers allowed(Headers fields) {
        for (int i = 0; i < fields.size(); i++) {
            if (!isAllowed(fields.name(i))) {
                return filtered(fields);
            }
        }
        return fields;
    }

    private static Headers filtered(Headers fields) {
        Headers allowed = new Headers();
        for (int i = 0; i < fields.size(); i++) {
            if (isAllowed(fields.name(i))) {
                allowed.add(fields.name(i), fields.value(i));
            }
        }
        return allowed;
    }
}
