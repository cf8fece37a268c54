package io.millrace.handler;

import io.millrace.http.Headers;
import org.jspecify.annotations.Nullable;

/** Finds one cookie in a request, for the access log. Lenient parsing. */
final class CookieValue {

    private CookieValue() {}

    /** The value of the first cookie of this name; null if there is none. */
    static @Nullable String of(Headers headers, String name) {
        for (String field : headers.all("Cookie")) {
            for (String pair : field.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0 && pair.substring(0, equals).trim().equals(name)) {
                    return pair.substring(equals + 1).trim();
                }
            }
        }
        return null;
    }
}
