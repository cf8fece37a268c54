package io.millrace.servlet.deploy;

/**
 * What reading an application cost, for its start-up line.
 *
 * @param jars jars of WEB-INF/lib
 * @param cached of these, those whose classes were not read since a scan of an earlier start is known
 * @param scanned of these, those whose classes were read
 * @param scanMillis milliseconds spent on finding annotations and types
 * @param unpackMillis milliseconds spent on unpacking; 0 if the unpacked files of an earlier start were still good
 * @param totalMillis milliseconds for everything
 */
public record ScanTimes(int jars, int cached, int scanned, long scanMillis, long unpackMillis, long totalMillis) {}
