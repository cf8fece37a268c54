package io.millrace.servlet.session;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import java.util.function.Consumer;
import javax.servlet.SessionTrackingMode;
import org.jspecify.annotations.Nullable;

/** Finds the session ids in a request without parsing its cookies. Used only to keep sessions alive, as the ids may be invalid. */
final class RequestedIds {

    private RequestedIds() {}

    /** A fast check: false for most requests without a session. */
    static boolean mayBeIn(RequestHead head) {
        return head.headers().get("Cookie") != null || head.path().parameters() != null;
    }

    static void of(RequestHead head, SessionTracking tracking, Consumer<String> found) {
        if (tracking.by(SessionTrackingMode.COOKIE)) {
            Headers headers = head.headers();
            String start = tracking.cookieName() + "=";
            for (int i = 0; i < headers.size(); i++) {
                if (headers.name(i).equalsIgnoreCase("Cookie")) {
                    inCookies(headers.value(i), start, found);
                }
            }
        }
        if (tracking.by(SessionTrackingMode.URL)) {
            inPath(head.path().parameters(), tracking.urlParameter(), found);
        }
    }

    private static void inCookies(String field, String start, Consumer<String> found) {
        for (int at = field.indexOf(start); at >= 0; at = field.indexOf(start, at + start.length())) {
            if (at == 0 || "; \t,".indexOf(field.charAt(at - 1)) >= 0) {
                int value = at + start.length();
                int end = value;
                while (end < field.length() && "; \t,".indexOf(field.charAt(end)) < 0) {
                    end++;
                }
                offer(unquoted(field.substring(value, end)), found);
            }
        }
    }

    private static void inPath(@Nullable String parameters, String start, Consumer<String> found) {
        int at = parameters == null ? -1 : parameters.indexOf(start);
        if (parameters != null && at >= 0) {
            int value = at + start.length();
            int end = parameters.indexOf(';', value);
            offer(parameters.substring(value, end < 0 ? parameters.length() : end), found);
        }
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static void offer(String id, Consumer<String> found) {
        if (!id.isEmpty()) {
            found.accept(id);
        }
    }
}
