package io.millrace.http;

import java.util.Locale;
import java.util.Set;

/** The fields that may be sent as trailers (RFC 9110, 6.5.1). */
public final class TrailerSyntax {

    /**
     * Fields that must be known before the body, that determine its end, or that identify a user (RFC 9110, 6.5.1). A peer may merge
     * trailers into the head, and an application that forwards trailers must not be able to change the meaning of the
     * head.
     */
    private static final Set<String> HEAD_ONLY = Set.of(
            "age",
            "authorization",
            "cache-control",
            "connection",
            "content-encoding",
            "content-length",
            "content-range",
            "content-type",
            "cookie",
            "date",
            "expect",
            "expires",
            "host",
            "keep-alive",
            "location",
            "max-forwards",
            "pragma",
            "proxy-authenticate",
            "proxy-authorization",
            "range",
            "retry-after",
            "set-cookie",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "vary",
            "www-authenticate");

    private TrailerSyntax() {}

    /** Whether a field of this name, in any case, may be sent as a trailer. */
    public static boolean isAllowed(String name) {
        return !HEAD_ONLY.contains(name.toLowerCase(Locale.ROOT));
    }

    /** The fields that may be sent as trailers, in order; the same object if all may. */
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
