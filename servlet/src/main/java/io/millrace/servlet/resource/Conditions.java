package io.millrace.servlet.resource;

import java.util.Enumeration;
import javax.servlet.http.HttpServletRequest;

/** A request's conditions on what it asks for, in the order of RFC 9110, 13.2.2. */
final class Conditions {

    /** What the conditions make of the request. */
    enum Outcome {
        SEND,
        NOT_MODIFIED,
        FAILED
    }

    private final HttpServletRequest request;
    private final String etag;
    private final long lastModified;

    /**
     * For one resource.
     *
     * @param lastModified milliseconds
     */
    Conditions(HttpServletRequest request, String etag, long lastModified) {
        this.request = request;
        this.etag = etag;
        // HTTP's dates have seconds
        this.lastModified = lastModified / 1000 * 1000;
    }

    Outcome outcome() {
        if (request.getHeader("If-Match") != null) {
            // strong comparison: a weak tag matches nothing but the star
            if (!"*".equals(request.getHeader("If-Match").trim()) && !(isStrong() && matches("If-Match"))) {
                return Outcome.FAILED;
            }
        } else {
            long unmodifiedSince = date("If-Unmodified-Since");
            if (unmodifiedSince >= 0 && lastModified > unmodifiedSince) {
                return Outcome.FAILED;
            }
        }
        if (request.getHeader("If-None-Match") != null) {
            return matches("If-None-Match") ? Outcome.NOT_MODIFIED : Outcome.SEND;
        }
        long modifiedSince = date("If-Modified-Since");
        return modifiedSince >= 0 && lastModified <= modifiedSince ? Outcome.NOT_MODIFIED : Outcome.SEND;
    }

    private boolean isStrong() {
        return !etag.startsWith("W/");
    }

    /** Weak comparison (RFC 9110, 8.8.3.2). Our tags hold no comma. */
    private boolean matches(String field) {
        String opaque = opaque(etag);
        Enumeration<String> values = request.getHeaders(field);
        while (values.hasMoreElements()) {
            for (String tag : values.nextElement().split(",", -1)) {
                if (tag.trim().equals("*") || opaque(tag.trim()).equals(opaque)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String opaque(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    /** -1 if there is none, or it is not a date: such a condition is ignored (RFC 9110, 13.1.3). */
    private long date(String field) {
        try {
            return request.getDateHeader(field);
        } catch (IllegalArgumentException notADate) {
            return -1;
        }
    }
}
