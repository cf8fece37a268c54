package io.millrace.servlet.deploy;

/**
 * How long reading an application took, for its start-up log message.
 *
 * @param jars number of jars in WEB-INF/lib
 * @param cached number of jars whose index came from the cache of an earlier start
 * @param scanned number of jars whose classes were read
 * @param scanMillis milliseconds spent on finding annotations and types
 * @param unpackMillis milliseconds spent on unpacking the WAR; 0 if it was not unpacked
 * @param totalMillis milliseconds for everything
 */
public record ScanTimes(int jars, int cached, int scanned, long scanMillis, long unpackMillis, long totalMillis) {

    /** Of an application in code, which is not read. */
    static final ScanTimes NONE = new ScanTimes(0, 0, 0, 0, 0, 0);
}
