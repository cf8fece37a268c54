package io.millrace.files;

import io.millrace.http.HttpDates;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a state of a representation (RFC 9110, 8.8).
 *
 * @param etag the entity tag, with quotes and, if it is weak, the prefix {@code W/}
 * @param lastModified in milliseconds since 1970, truncated to seconds
 * @param date the same as the value of a header field
 */
public record Validators(String etag, long lastModified, String date) {

    /** A file that was modified less than this ago may be modified again without a change of its time. */
    private static final long SETTLED_MILLIS = 2_000;

    /** Validators with an explicit entity tag. */
    public static Validators of(String etag, long lastModified) {
        long seconds = Math.floorDiv(lastModified, 1000L) * 1000;
        return new Validators(etag, seconds, HttpDates.format(seconds));
    }

    /** Weak validators from size and time, as Tomcat's. */
    static Validators weak(ServedFile file, @Nullable String coding) {
        String suffix = coding == null ? "" : "-" + coding;
        return of("W/\"" + file.length() + "-" + file.lastModified() + suffix + "\"", file.lastModified());
    }

    /**
     * Strong validators from size and time in full precision, unless the file was modified just now.
     *
     * @param coding the content coding, which has an entity tag of its own; null if there is none
     */
    static Validators of(ServedFile file, @Nullable String coding) {
        String opaque = Long.toHexString(file.length()) + "-" + Long.toHexString(finest(file))
                + (coding == null ? "" : "-" + coding);
        return of((isSettled(file) ? "\"" : "W/\"") + opaque + "\"", file.lastModified());
    }

    /** Whether the last modification is so long ago that a change would change the time. */
    static boolean isSettled(ServedFile file) {
        return System.currentTimeMillis() - file.lastModified() > SETTLED_MILLIS;
    }

    private static long finest(ServedFile file) {
        return file.stamp() instanceof FileStamp stamp
                ? stamp.modified().to(TimeUnit.NANOSECONDS)
                : file.lastModified();
    }

    /** Whether ranges of representations with this tag may be combined (RFC 9110, 8.8.1). */
    boolean isStrong() {
        return !etag.startsWith("W/");
    }
}
