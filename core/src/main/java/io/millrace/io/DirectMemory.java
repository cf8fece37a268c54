package io.millrace.io;

import io.millrace.log.CoreLog;
import java.lang.management.ManagementFactory;
import java.util.List;

/** Determines the JVM's limit of direct memory, and reports when it is exhausted. */
final class DirectMemory {

    private static final String OPTION = "-XX:MaxDirectMemorySize=";

    private DirectMemory() {}

    /** The limit in bytes: {@code -XX:MaxDirectMemorySize}, or the maximum heap size. Takes some milliseconds. */
    static long limit() {
        long heap = Runtime.getRuntime().maxMemory();
        try {
            return limit(ManagementFactory.getRuntimeMXBean().getInputArguments(), heap);
        } catch (RuntimeException | LinkageError withoutManagement) {
            return heap;
        }
    }

    /** Reads the JVM's arguments as the JVM does: the last one counts, and 0 means the maximum heap size. */
    static long limit(List<String> arguments, long heap) {
        long limit = 0;
        for (String argument : arguments) {
            if (argument.startsWith(OPTION)) {
                limit = size(argument.substring(OPTION.length()));
            }
        }
        return limit > 0 ? limit : heap;
    }

    /** A number of bytes with an optional unit: k, m, g or t. 0 if malformed; the JVM would not have started with it. */
    private static long size(String text) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        if (digits == 0 || digits > 18) {
            return 0;
        }
        long number = Long.parseLong(text.substring(0, digits));
        int unit = digits == text.length() ? 0 : " kmgt".indexOf(Character.toLowerCase(text.charAt(digits)));
        return number << 10 * Math.max(0, unit);
    }

    /** Logs that the pool could not grow. Logging may fail for lack of memory too; leasing continues without it. */
    static void exhausted(int buffers, OutOfMemoryError why) {
        try {
            if (ShortageLogging.isDue(why)) {
                CoreLog.IO.directMemoryExhausted(buffers, String.valueOf(why.getMessage()));
            }
        } catch (Throwable alsoOutOfMemory) {
            // the next occurrence is logged
        }
    }
}
