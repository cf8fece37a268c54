package io.millrace.files;

import io.millrace.http.HttpDates;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes one state of a representation from another (RFC 9110, 8.8).
 *
 * @param etag the entity tag with its quotes, weak ones with {@code W/} before
 * @param lastModified milliseconds, whole seconds
 * @param date the same as a header field has it
 */
public record Validators(String etag, long lastModified, String date) {

    /** A file may change twice in a tick of its clock; one that has rested so long since will not have. */
    private static final long RESTED_MILLIS = 2_000;

    /** For an entity tag of one's own. */
    public static Validators of(String etag, long lastModified) {
        long seconds = Math.floorDiv(lastModified, 1000L) * 1000;
        return new Validators(etag, seconds, HttpDates.format(seconds));
    }

    /** Weak ones, of size and time, as Tomcat writes them. */
    static Validators weak(ServedFile file, @Nullable String coding) {
        String suffix = coding == null ? "" : "-" + coding;
        return of("W/\"" + file.length() + "-" + file.lastModified() + suffix + "\"", file.lastModified());
    }

    /**
     * Strong ones, of size and time to the last digit, unless the file was changed a moment ago.
     *
     * @param coding in which it is encoded: another representation, so another tag; null if it is not
     */
    static Validators of(ServedFile file, @Nullable String coding) {
        String opaque = Long.toHexString(file.length()) + "-" + Long.toHexString(finest(file))
                + (coding == null ? "" : "-" + coding);
        return of((isRested(file) ? "\"" : "W/\"") + opaque + "\"", file.lastModified());
    }

    /** Has it been left alone for so long that a change would show in its time? */
    static boolean isRested(ServedFile file) {
        return System.currentTimeMillis() - file.lastModified() > RESTED_MILLIS;
    }

    private static long finest(ServedFile file) {
        return file.stamp() instanceof FileStamp stamp
                ? stamp.modified().to(TimeUnit.NANOSECONDS)
                : file.lastModified();
    }

    /** May pieces of representations with this tag be put together (RFC 9110, 8.8.1)? */
    boolean isStrong() {
        return !etag.startsWith("W/");
    }
}
