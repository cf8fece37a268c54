package io.millrace.files;

import io.millrace.http.Headers;
import io.millrace.http.HttpDates;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates the conditions of a request in the order of RFC 9110, 13.2.2. */
public final class Preconditions {

    /** The result of the conditions. */
    public enum Outcome {
        /** The request is processed. */
        PASSED,
        /** The response is 304: the client has the current state. */
        NOT_MODIFIED,
        /** The response is 412: the state is not the expected one. */
        FAILED
    }

    private Preconditions() {}

    /**
     * Evaluates the conditions of a request.
     *
     * @param method the method of the request
     * @param request its header fields
     * @param current the current state; null if the resource does not exist
     */
    public static Outcome evaluate(String method, Headers request, @Nullable Validators current) {
        boolean unmodified = request.contains("If-Match")
                ? current != null && EntityTags.match(request.all("If-Match"), current.etag(), true)
                : current == null || !isModifiedSince(request.get("If-Unmodified-Since"), current);
        if (!unmodified) {
            return Outcome.FAILED;
        }
        boolean reading = method.equals("GET") || method.equals("HEAD");
        if (request.contains("If-None-Match")) {
            boolean matched = current != null && EntityTags.match(request.all("If-None-Match"), current.etag(), false);
            return !matched ? Outcome.PASSED : reading ? Outcome.NOT_MODIFIED : Outcome.FAILED;
        }
        String since = request.get("If-Modified-Since");
        return reading && since != null && current != null && !isModifiedSinceOrOdd(since, current)
                ? Outcome.NOT_MODIFIED
                : Outcome.PASSED;
    }

    /**
     * Whether the client's partial representation belongs to this state (RFC 9110, 13.1.5). True also without If-Range.
     * A date must match exactly and be a strong validator: the file might change again within the same second.
     */
    static boolean isRangeFor(Headers request, Validators current) {
        String value = request.get("If-Range");
        if (value == null) {
            return true;
        }
        String validator = value.strip();
        if (validator.startsWith("\"") || validator.startsWith("W/")) {
            return current.isStrong() && validator.equals(current.etag());
        }
        return millis(validator) == current.lastModified()
                && System.currentTimeMillis() - current.lastModified() > 1_000;
    }

    private static boolean isModifiedSince(@Nullable String date, Validators current) {
        long since = date == null ? -1 : millis(date);
        return since >= 0 && current.lastModified() > since;
    }

    private static boolean isModifiedSinceOrOdd(String date, Validators current) {
        if (date.equals(current.date())) {
            return false; // most clients send back the date that they received
        }
        long since = millis(date);
        return since < 0 || current.lastModified() > since;
    }

    /** -1 if it is not a date: such a condition is ignored (RFC 9110, 13.1.3). */
    private static long millis(String date) {
        try {
            return HttpDates.parse(date);
        } catch (IllegalArgumentException odd) {
            return -1;
        }
    }

    /** The parser of the fields {@code If-Match} and {@code If-None-Match} (RFC 9110, 8.8.3, 13.1). */
    static final class EntityTags {

        private EntityTags() {}

        /** Whether the fields contain {@code *} or this tag; weak tags never match in a strong comparison. */
        static boolean match(List<String> values, String etag, boolean strongly) {
            for (String value : values) {
                if (value.strip().equals("*") || contains(value, etag, strongly)) {
                    return true;
                }
            }
            return false;
        }

        /** A tag may contain commas. The rest of the field after an invalid tag is ignored. */
        private static boolean contains(String value, String etag, boolean strongly) {
            int at = skipSeparators(value, 0);
            while (at < value.length()) {
                boolean weak = value.startsWith("W/", at);
                int open = weak ? at + 2 : at;
                int close = value.startsWith("\"", open) ? value.indexOf('"', open + 1) : -1;
                if (close < 0) {
                    return false;
                }
                if (same(value.substring(open, close + 1), weak, etag, strongly)) {
                    return true;
                }
                at = skipSeparators(value, close + 1);
            }
            return false;
        }

        private static boolean same(String opaque, boolean weak, String etag, boolean strongly) {
            boolean otherWeak = etag.startsWith("W/");
            return !(strongly && (weak || otherWeak)) && opaque.equals(otherWeak ? etag.substring(2) : etag);
        }

        private static int skipSeparators(String value, int from) {
            int at = from;
            while (at < value.length()
                    && (value.charAt(at) == ',' || value.charAt(at) == ' ' || value.charAt(at) == '\t')) {
                at++;
            }
            return at;
        }
    }
}
