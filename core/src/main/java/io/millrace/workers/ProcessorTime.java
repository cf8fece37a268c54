package io.millrace.workers;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How long a thread has been running or runnable, as reported by Linux; the rest of the time it was waiting. Java
 * reports only the running time, and would have to load its management classes for that.
 */
final class ProcessorTime {

    /** The result for a thread that has ended, or is unknown to Linux. */
    static final long UNKNOWN = -1;

    private static final Path SELF = Path.of("/proc/thread-self");

    private final String file;

    private ProcessorTime(String file) {
        this.file = file;
    }

    /** Null if the system does not report it. */
    static @Nullable ProcessorTime ofCurrentThread() {
        try {
            Path account = SELF.resolveSibling(Files.readSymbolicLink(SELF)).resolve("schedstat");
            return Files.isReadable(account) ? new ProcessorTime(account.toString()) : null;
        } catch (IOException | UnsupportedOperationException | InvalidPathException otherSystem) {
            return null;
        }
    }

    /** Nanoseconds since the thread started. Callable by any thread; takes some microseconds. */
    long nanos() {
        try (RandomAccessFile account = new RandomAccessFile(file, "r")) {
            byte[] line = new byte[64];
            return sumOfTwo(line, account.read(line));
        } catch (IOException gone) {
            return UNKNOWN;
        }
    }

    /** Parses "running runnable timeslices". */
    static long sumOfTwo(byte[] line, int length) {
        String[] numbers = new String(line, 0, Math.max(0, length), StandardCharsets.US_ASCII).split(" ", 3);
        try {
            return numbers.length < 2 ? UNKNOWN : Long.parseLong(numbers[0]) + Long.parseLong(numbers[1]);
        } catch (NumberFormatException other) {
            return UNKNOWN;
        }
    }
}
