package io.millrace.standalone.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * The log of this process: stderr, whole lines. It belongs to no {@code Logger} and to no {@code System.err} that an
 * application could exchange, format or close. Any thread.
 */
public final class StderrLog {

    private static final String PRODUCT = "io.millrace";

    /** Greets with its version at INFO. */
    private static final String XNIO = "org.xnio";

    private static final OutputStream STDERR = new FileOutputStream(FileDescriptor.err);
    private static final Charset CHARSET = charset();
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static volatile Level productLevel = Level.INFO;

    private StderrLog() {}

    /** How much the server says of itself; INFO unless this is called. */
    public static void level(Level level) {
        productLevel = level;
    }

    static boolean takes(String logger, Level level) {
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
        byte[] line = LogLine.of(at, level, Thread.currentThread(), logger, message, thrown)
                .getBytes(CHARSET);
        LOCK.lock();
        try {
            STDERR.write(line);
        } catch (IOException e) {
            // stderr is closed, or its disk is full: there is nowhere to say so
        } finally {
            LOCK.unlock();
        }
    }

    /** The terminal's, which Java tells from version 19 on. */
    private static Charset charset() {
        String name = System.getProperty("stderr.encoding");
        return name == null ? Charset.defaultCharset() : Charset.forName(name);
    }
}
