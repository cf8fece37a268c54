package io.millrace.files;

import java.time.Duration;

/**
 * What a cache of files may hold, and for how long it trusts what it knows.
 *
 * @param bytes of contents, in direct memory; 0: nothing is kept in memory
 * @param fileBytes the largest file whose content is kept in memory; larger ones are kept open
 * @param openFiles files kept open
 * @param files of which it is known where and what they are; 0: there is no cache
 * @param admission how often a file is asked for before its content is kept
 * @param freshness for how long a file is served without looking whether it has changed
 */
public record CacheLimits(long bytes, long fileBytes, int openFiles, int files, int admission, Duration freshness) {

    /** 16 MiB of files up to 512 KiB, 256 open files, 10,000 known ones, five accesses, one second. */
    public static final CacheLimits DEFAULTS =
            new CacheLimits(16L << 20, 512 << 10, 256, 10_000, 5, Duration.ofSeconds(1));

    /** No cache: each request looks at the file. */
    public static final CacheLimits NONE = new CacheLimits(0, 0, 0, 0, 5, Duration.ZERO);

    /** With more or less memory. */
    public CacheLimits withBytes(long most, long mostOfFile) {
        return new CacheLimits(most, mostOfFile, openFiles, files, admission, freshness);
    }

    /** With another number of files, open and known. */
    public CacheLimits withFiles(int open, int known) {
        return new CacheLimits(bytes, fileBytes, open, known, admission, freshness);
    }

    /** With contents kept earlier or later. */
    public CacheLimits withAdmission(int accesses) {
        return new CacheLimits(bytes, fileBytes, openFiles, files, accesses, freshness);
    }

    /** Trusted for another time. */
    public CacheLimits withFreshness(Duration time) {
        return new CacheLimits(bytes, fileBytes, openFiles, files, admission, time);
    }
}
