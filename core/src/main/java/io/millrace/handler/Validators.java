package io.millrace.handler;

import io.millrace.http.Headers;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What tells one state of a file from another (RFC 9110, 8.8): size and time, which is weak, for a file may change twice
 * in a tick of its clock.
 */
record Validators(String etag, Instant lastModified) {

    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    static Validators of(BasicFileAttributes file) {
        Instant modified = file.lastModifiedTime().toInstant();
        String etag = "W/\"" + Long.toHexString(file.size()) + "-" + Long.toHexString(modified.toEpochMilli()) + "\"";
        return new Validators(etag, modified.truncatedTo(ChronoUnit.SECONDS));
    }

    void describe(Headers response) {
        response.set("ETag", etag);
        response.set("Last-Modified", HTTP_DATE.format(lastModified));
    }

    /** True if the client has this state already: 304. An entity tag silences the date (RFC 9110, 13.2.2). */
    boolean matchedBy(Headers request) {
        if (request.contains("If-None-Match")) {
            return request.all("If-None-Match").stream().anyMatch(this::lists);
        }
        Instant since = date(request.get("If-Modified-Since"));
        return since != null && !lastModified.isAfter(since);
    }

    /** Compares weakly: our tags hold no comma, so that splitting at commas can't hit one of them. */
    private boolean lists(String tags) {
        String opaque = etag.substring(2);
        for (String tag : tags.split(",", -1)) {
            String trimmed = tag.trim();
            if (trimmed.equals("*") || trimmed.equals(etag) || trimmed.equals(opaque)) {
                return true;
            }
        }
        return false;
    }

    /** A date that can't be understood is as good as none. */
    private static @Nullable Instant date(@Nullable String value) {
        try {
            return value == null ? null : HTTP_DATE.parse(value, Instant::from);
        } catch (DateTimeException e) {
            return null;
        }
    }
}
