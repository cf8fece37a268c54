package io.millrace.standalone.log;

import io.millrace.handler.DroppedLines;
import io.millrace.text.Plural;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * The log of this process on stderr, line by line. It writes to the file descriptor, not to {@code System.err} or a logger that
 * an application could replace, format or close. Thread-safe.
 */
public final class StderrLog {

    private static final String PRODUCT = "io.millrace";

    /** Logs its version at INFO, which is suppressed. */
    private static final String XNIO = "org.xnio";

    private static final OutputStream STDERR = new FileOutputStream(FileDescriptor.err);
    private static final Charset CHARSET = charset();
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static volatile Level productLevel = Level.INFO;

    private static volatile boolean json;

    /** Levels of single loggers, by their names. */
    private static final Map<String, Level> OWN = new ConcurrentHashMap<>();

    private static volatile @Nullable PrintWriter replacement;

    /** Lines since the last that was written; guarded by the lock. */
    private static long lost;

    private StderrLog() {}

    /** Sets the log level of the server's own messages; INFO by default. Messages of others are logged from INFO on. */
    public static void level(Level level) {
        productLevel = level;
    }

    /** Whether each message is a JSON object. Default: false, lines for people. */
    public static void json(boolean value) {
        json = value;
    }

    /** Whether each message is a JSON object. */
    public static boolean isJson() {
        return json;
    }

    /**
     * Replaces stderr, for a server inside a process that has another use for it.
     *
     * @param writer must be thread-safe; null restores stderr
     */
    public static void to(@Nullable PrintWriter writer) {
        replacement = writer;
    }

    /**
     * Sets the level of a logger and of those below it.
     *
     * @param level null for that of the logger above
     * @return the one before; null if it had none of its own
     */
    public static @Nullable Level level(String logger, @Nullable Level level) {
        return level == null ? OWN.remove(logger) : OWN.put(logger, level);
    }

    private static @Nullable Level own(String logger) {
        String name = logger;
        while (true) {
            Level found = OWN.get(name);
            int dot = name.lastIndexOf('.');
            if (found != null || dot < 0) {
                return found;
            }
            name = name.substring(0, dot);
        }
    }

    static boolean takes(String logger, Level level) {
        Level own = OWN.isEmpty() ? null : own(logger);
        if (own != null) {
            return own.compareTo(level) >= 0;
        }
        if (isIn(PRODUCT, logger)) {
            return productLevel.compareTo(level) >= 0;
        }
        return (isIn(XNIO, logger) ? Level.WARN : Level.INFO).compareTo(level) >= 0;
    }

    private static boolean isIn(String category, String logger) {
        return logger.startsWith(category)
                && (logger.length() == category.length() || logger.charAt(category.length()) == '.');
    }

    static void write(Instant at, Level level, String logger, @Nullable String message, @Nullable Throwable thrown) {
        Thread thread = Thread.currentThread();
        boolean asJson = json;
        String line = line(asJson, at, level, thread, logger, message, thrown);
        PrintWriter other = replacement;
        if (other != null) {
            other.print(line);
            other.flush();
            return;
        }
        byte[] bytes = line.getBytes(asJson ? StandardCharsets.UTF_8 : CHARSET);
        LOCK.lock();
        try {
            if (lost > 0) {
                // after what may be half a line
                String note = "\n" + line(asJson, at, Level.WARN, thread, PRODUCT, lost(lost), null);
                STDERR.write(note.getBytes(asJson ? StandardCharsets.UTF_8 : CHARSET));
                lost = 0;
            }
            STDERR.write(bytes);
        } catch (IOException e) { // stderr is closed, or its disk is full: told when that is over
            lost++;
            DroppedLines.add(1);
        } finally {
            LOCK.unlock();
        }
    }

    private static String line(
            boolean asJson,
            Instant at,
            Level level,
            Thread thread,
            String logger,
            @Nullable String message,
            @Nullable Throwable thrown) {
        return asJson
                ? JsonLine.of(at, LogLine.name(level), LogLine.nameOf(thread), logger, message, thrown) + "\n"
                : LogLine.of(at, level, thread, logger, message, thrown);
    }

    /** The message of a log that is written again. */
    static String lost(long lines) {
        return "MILLRACE0621: " + Plural.of(lines, "line") + " of this log were lost";
    }

    /** The character encoding of the terminal, which is known on Java 19 and later. */
    private static Charset charset() {
        String name = System.getProperty("stderr.encoding");
        return name == null ? Charset.defaultCharset() : Charset.forName(name);
    }
}
