package io.millrace.files;

import java.time.Duration;

/**
 * What a cache of files may hold, and for how long it trusts what it knows.
 *
 * @param bytes of contents, in direct memory, taken a whole mebibyte at a time; 0: nothing is kept in memory
 * @param fileBytes the largest file whose content is kept in memory; larger ones are kept open, and from 64 KiB on those that are
 *     first wanted where the kernel sends files
 * @param openFiles files kept open
 * @param files of which it is known where and what they are; 0: there is no cache
 * @param admission how often a file is asked for before its content is kept; who was not asked for while others were let go
 *     for want of room begins anew
 * @param freshness for how long a file is served without looking whether it has changed; one that is kept open is looked at
 *     each time
 * @param watching whether the operating system notifies of changes to cached files, so that these are seen at once.
 *     One thread of ours and one of the JDK's do that for the whole process: while an application runs, or for good if a
 *     file handler asked for it
 */
public record CacheLimits(
        long bytes, long fileBytes, int openFiles, int files, int admission, Duration freshness, boolean watching) {

    /** 16 MiB of files up to 512 KiB, 256 open files, 10,000 known ones, five accesses, one second, without watching. */
    public static final CacheLimits DEFAULTS =
            new CacheLimits(16L << 20, 512 << 10, 256, 10_000, 5, Duration.ofSeconds(1), false);

    /** No cache: each request looks at the file. */
    public static final CacheLimits NONE = new CacheLimits(0, 0, 0, 0, 5, Duration.ZERO, false);

    /** With more or less memory. */
    public CacheLimits withBytes(long most, long mostOfFile) {
        return new CacheLimits(most, mostOfFile, openFiles, files, admission, freshness, watching);
    }

    /** With another number of files, open and known. */
    public CacheLimits withFiles(int open, int known) {
        return new CacheLimits(bytes, fileBytes, open, known, admission, freshness, watching);
    }

    /** With contents kept earlier or later. */
    public CacheLimits withAdmission(int accesses) {
        return new CacheLimits(bytes, fileBytes, openFiles, files, accesses, freshness, watching);
    }

    /** Trusted for another time. */
    public CacheLimits withFreshness(Duration time) {
        return new CacheLimits(bytes, fileBytes, openFiles, files, admission, time, watching);
    }

    /** With or without watching for changes. */
    public CacheLimits withWatching(boolean value) {
        return new CacheLimits(bytes, fileBytes, openFiles, files, admission, freshness, value);
    }
}
