package io.millrace.files;

import io.millrace.http.Headers;
import io.millrace.http.HttpDates;
import org.jspecify.annotations.Nullable;

/** A request's conditions on the state of what it asks for, in the order of RFC 9110, 13.2.2. */
public final class Preconditions {

    /** What the conditions make of the request. */
    public enum Outcome {
        /** It is carried out. */
        PASSED,
        /** 304: the client has this state already. */
        NOT_MODIFIED,
        /** 412: it was meant for another state. */
        FAILED
    }

    private Preconditions() {}

    /**
     * Evaluates them.
     *
     * @param current null: there is nothing yet at this place
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
     * Do the pieces that the client has belong to this state (RFC 9110, 13.1.5)? True as well if it does not ask. A date
     * must be exact, and must be a strong validator: the file may change again in the second in which it did.
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
            return false; // most clients repeat what they were given
        }
        long since = millis(date);
        return since < 0 || current.lastModified() > since;
    }

    /** -1 if it is no date: such a condition is ignored (RFC 9110, 13.1.3). */
    private static long millis(String date) {
        try {
            return HttpDates.parse(date);
        } catch (IllegalArgumentException odd) {
            return -1;
        }
    }
}
