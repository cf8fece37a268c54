package io.millrace.servlet.request;

import io.millrace.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The Cookie field of a pushed request, from the client's cookies and the response's. As specified by PushBuilder, a cookie of
 * the response is added if its Max-Age is positive, and otherwise removed.
 */
final class PushedCookies {

    private static final String MAX_AGE = "max-age=";

    /** Each {@code name=value}. */
    private final List<String> pairs = new ArrayList<>();

    private PushedCookies() {}

    /**
     * The field's value; null if there are no cookies.
     *
     * @param session the name of the session cookie, which is omitted; null if there is none
     */
    static @Nullable String of(Headers request, Headers response, @Nullable String session) {
        PushedCookies cookies = new PushedCookies();
        for (String field : request.all("Cookie")) {
            for (String pair : field.split(";", -1)) {
                cookies.add(pair.strip());
            }
        }
        response.all("Set-Cookie").forEach(cookies::apply);
        if (session != null) {
            cookies.remove(session);
        }
        return cookies.pairs.isEmpty() ? null : String.join("; ", cookies.pairs);
    }

    private void apply(String written) {
        String[] parts = written.split(";", -1);
        String pair = parts[0].strip();
        remove(name(pair));
        for (int i = 1; i < parts.length; i++) {
            String attribute = parts[i].strip().toLowerCase(Locale.ROOT);
            if (attribute.startsWith(MAX_AGE) && isPositive(attribute.substring(MAX_AGE.length()))) {
                add(pair);
                return;
            }
        }
    }

    private static boolean isPositive(String number) {
        return number.matches("0*[1-9][0-9]*");
    }

    private void add(String pair) {
        if (!pair.isEmpty()) {
            pairs.add(pair);
        }
    }

    private void remove(String name) {
        pairs.removeIf(pair -> name(pair).equals(name));
    }

    private static String name(String pair) {
        int equals = pair.indexOf('=');
        return equals < 0 ? pair : pair.substring(0, equals);
    }
}
