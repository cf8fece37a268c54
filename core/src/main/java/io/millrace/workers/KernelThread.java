package io.millrace.workers;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * What Linux tells of a thread: how long it has been running or runnable, and whether and how often it has waited. To Java a thread that
 * waits for a socket looks like one that computes, and one that waits for a processor too; its management classes would have to be loaded
 * for the time on a processor. Callable by any thread; each call takes some microseconds.
 */
public final class KernelThread {

    /** The result for a thread that has ended, or is unknown to Linux, and on other systems. */
    public static final long UNKNOWN = -1;

    private static final String SELF = "/proc/thread-self";
    private static final String STATE = "\nState:\t";
    private static final String WAITS = "\nvoluntary_ctxt_switches:\t";

    /** More than what the kernel writes, even of a thread that may run on thousands of processors. */
    private static final int STATUS_BYTES = 8_192;

    private final String account;
    private final String status;

    private KernelThread(Path directory) {
        account = directory.resolve("schedstat").toString();
        status = directory.resolve("status").toString();
    }

    /** Null if the system does not report it. */
    static @Nullable KernelThread ofCurrentThread() {
        try {
            Path self = Path.of(SELF);
            Path directory = self.resolveSibling(Files.readSymbolicLink(self));
            return Files.isReadable(directory.resolve("schedstat")) ? new KernelThread(directory) : null;
        } catch (IOException | UnsupportedOperationException | InvalidPathException otherSystem) {
            return null;
        }
    }

    /**
     * How often the current thread has waited for anything but a processor. Grows only: equal numbers mean that it has not. {@link
     * #UNKNOWN} also without memory for the answer: who measures must not fail.
     */
    public static long waits() {
        try {
            return waits(read(SELF + "/status", STATUS_BYTES));
        } catch (OutOfMemoryError e) {
            return UNKNOWN;
        }
    }

    /** Nanoseconds for which it has been running or runnable since it started. */
    long nanos() {
        return sumOfTwo(read(account, 64));
    }

    /** Nanoseconds for which it has been running since it started, up to the last tick of the clock or its last switch. */
    long runningNanos() {
        return number(read(account, 64), 0);
    }

    /** Whether it waits for anything but a processor, or has been stopped. False if that is unknown. */
    boolean isWaiting() {
        return isWaiting(read(status, STATUS_BYTES));
    }

    /** What Java tells of it: whether a thread in this state, parked with this blocker, waits for anything other than a processor or a lock. */
    static boolean isAsleep(Thread.State state, @Nullable Object blocker) {
        if (state == Thread.State.RUNNABLE || state == Thread.State.BLOCKED) {
            return false;
        }
        Class<?> kind = blocker == null ? null : blocker.getClass().getNestHost();
        return !ReentrantLock.class.equals(kind) && !ReentrantReadWriteLock.class.equals(kind);
    }

    private static String read(String file, int most) {
        try (RandomAccessFile open = new RandomAccessFile(file, "r")) {
            byte[] bytes = new byte[most];
            return new String(bytes, 0, Math.max(0, open.read(bytes)), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    /** Adds the first two of "running runnable timeslices". */
    static long sumOfTwo(String line) {
        long running = number(line, 0);
        int space = line.indexOf(' ');
        long runnable = space < 0 ? UNKNOWN : number(line, space + 1);
        return running == UNKNOWN || runnable == UNKNOWN ? UNKNOWN : running + runnable;
    }

    static boolean isWaiting(String status) {
        int state = status.indexOf(STATE);
        return state >= 0 && !status.startsWith("R", state + STATE.length());
    }

    static long waits(String status) {
        int waits = status.indexOf(WAITS);
        return waits < 0 ? UNKNOWN : number(status, waits + WAITS.length());
    }

    private static long number(String text, int from) {
        int to = from;
        while (to < text.length() && Character.isDigit(text.charAt(to))) {
            to++;
        }
        try {
            return Long.parseLong(text, from, to, 10);
        } catch (NumberFormatException other) {
            return UNKNOWN;
        }
    }
}
