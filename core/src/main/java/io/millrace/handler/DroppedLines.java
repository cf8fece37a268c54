package io.millrace.handler;

import java.util.concurrent.atomic.LongAdder;

/** The lines that no log of this process has: the disk was full or too slow. For metrics. Thread-safe. */
public final class DroppedLines {

    private static final LongAdder COUNT = new LongAdder();

    private DroppedLines() {}

    /** The number of lines of access logs and of the server's logs since the start of the process. */
    public static long count() {
        return COUNT.sum();
    }

    /** Called by a log that has dropped lines. */
    public static void add(long lines) {
        COUNT.add(lines);
    }
}
