package io.millrace.files;

import java.time.Duration;

/**
 * The limits of a file cache, and for how long it trusts its entries.
 *
 * @param bytes the maximum size of cached contents in direct memory, allocated in units of one mebibyte; 0 to cache no
 *     contents
 * @param fileBytes the maximum size of a file whose content is cached. Larger files are kept open instead, and so, where
 *     the operating system sends files, are files from 64 KiB on at their first requests
 * @param openFiles the maximum number of files kept open
 * @param files the maximum number of files whose location and attributes are cached; 0 disables the cache
 * @param admission the number of requests after which the content of a file is cached; counting restarts for a file that
 *     was not requested while others were evicted
 * @param freshness for how long a cached file is served without checking whether it has changed; a file that is kept
 *     open is checked at each request
 * @param watching whether the operating system reports changes of cached files, so that they take effect immediately.
 *     This takes one thread of Millrace and one of the JDK for the whole process: while an application that uses it runs, or
 *     permanently if a file handler uses it
 */
public record CacheLimits(
        long bytes, long fileBytes, int openFiles, int files, int admission, Duration freshness, boolean watching) {

    /** 16 MiB for files up to 512 KiB, 256 open files, 10,000 entries, 5 requests, 1 s, without watching. */
    public static final CacheLimits DEFAULTS =
            new CacheLimits(16L << 20, 512 << 10, 256, 10_000, 5, Duration.ofSeconds(1), false);

    /** No cache: every request accesses the file system. */
    public static final CacheLimits NONE = new CacheLimits(0, 0, 0, 0, 5, Duration.ZERO, false);

    /** The same limits with other maximum sizes, in bytes. */
    public CacheLimits withBytes(long most, long mostOfFile) {
        return new CacheLimits(most, mostOfFile, openFiles, files, admission, freshness, watching);
    }

    /** The same limits with other maximum numbers of open files and entries. */
    public CacheLimits withFiles(int open, int known) {
        return new CacheLimits(bytes, fileBytes, open, known, admission, freshness, watching);
    }

    /** The same limits with another number of requests before a content is cached. */
    public CacheLimits withAdmission(int accesses) {
        return new CacheLimits(bytes, fileBytes, openFiles, files, accesses, freshness, watching);
    }

    /** The same limits with another freshness. */
    public CacheLimits withFreshness(Duration time) {
        return new CacheLimits(bytes, fileBytes, openFiles, files, admission, time, watching);
    }

    /** The same limits with or without watching for changes. */
    public CacheLimits withWatching(boolean value) {
        return new CacheLimits(bytes, fileBytes, openFiles, files, admission, freshness, value);
    }
}
