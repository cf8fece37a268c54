package io.millrace.io;

import java.lang.management.ManagementFactory;
import java.util.List;

/** How much direct memory the JVM gives, and that there is none left. */
final class DirectMemory {

    private static final String OPTION = "-XX:MaxDirectMemorySize=";

    private DirectMemory() {}

    /** In bytes: what {@code -XX:MaxDirectMemorySize} says, or as much as the heap. Takes some milliseconds. */
    static long limit() {
        long heap = Runtime.getRuntime().maxMemory();
        try {
            return limit(ManagementFactory.getRuntimeMXBean().getInputArguments(), heap);
        } catch (RuntimeException | LinkageError withoutManagement) {
            return heap;
        }
    }

    /** As the JVM reads its arguments: the last one counts, and 0 is as much as the heap. */
    static long limit(List<String> arguments, long heap) {
        long limit = 0;
        for (String argument : arguments) {
            if (argument.startsWith(OPTION)) {
                limit = size(argument.substring(OPTION.length()));
            }
        }
        return limit > 0 ? limit : heap;
    }

    /** With a unit: k, m, g or t. 0 if it is none, which the JVM would not have started with. */
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

    /** The pool could not grow. Logging needs memory too; leasing continues without it. */
    static void exhausted(int buffers, OutOfMemoryError why) {
        try {
            if (ShortageLogging.isDue(why)) {
                IoLog.LOG.directMemoryExhausted(buffers, String.valueOf(why.getMessage()));
            }
        } catch (Throwable alsoOutOfMemory) {
            // the pace says it again
        }
    }
}
