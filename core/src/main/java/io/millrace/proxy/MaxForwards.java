package io.millrace.proxy;

import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import org.jspecify.annotations.Nullable;

/** How many proxies an OPTIONS request may still pass (RFC 9110, 7.6.2); for other methods the field means nothing. TRACE is refused. */
final class MaxForwards {

    static final String NAME = "Max-Forwards";

    /** The digits of a number that is read; a longer one is passed on as the largest of so many digits. */
    private static final int MAX_DIGITS = 9;

    private static final String LARGEST = "9".repeat(MAX_DIGITS);

    private MaxForwards() {}

    /** Whether the request must not be forwarded: its client asks this proxy. */
    static boolean isLast(RequestHead head) {
        String value = value(head);
        return value != null && value.chars().allMatch(digit -> digit == '0');
    }

    /** The value for the next server; null if the request has none, or it is no number. */
    static @Nullable String next(RequestHead head) {
        String value = value(head);
        if (value == null) {
            return null;
        }
        String digits = value.replaceFirst("^0+", "");
        return digits.length() > MAX_DIGITS ? LARGEST : Integer.toString(Integer.parseInt(digits) - 1);
    }

    private static @Nullable String value(RequestHead head) {
        Headers fields = head.headers();
        if (!head.method().equals(Method.OPTIONS)
                || !fields.contains(NAME)
                || fields.all(NAME).size() > 1) {
            return null;
        }
        String value = String.valueOf(fields.get(NAME)).strip();
        boolean isNumber = !value.isEmpty() && value.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        return isNumber ? value : null;
    }
}
