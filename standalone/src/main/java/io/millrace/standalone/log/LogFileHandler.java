package io.millrace.standalone.log;

import io.millrace.handler.DroppedLines;
import io.millrace.handler.LogFiles;
import io.millrace.handler.RotatingFile;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.logging.Filter;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import org.apache.juli.OneLineFormatter;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A handler of java.util.logging that writes to rotated files. {@link ServerLogManager} uses it in place of juli's FileHandler and
 * AsyncFileHandler, with their properties, and with {@code limit} and {@code count}, named as in the JDK's FileHandler. A message is
 * formatted by the thread that logs it, which alone knows its application and request. A full disk costs lines, which are counted,
 * and never fails what logs. Thread-safe.
 */
public class LogFileHandler extends Handler {

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final UnaryOperator<@Nullable String> properties;
    private final LogFiles files;
    private final ReentrantLock lock = new ReentrantLock();
    private final Path shown;

    // guarded by the lock
    private @Nullable RotatingFile file;
    private long failedAt;
    private boolean broken;
    private final AtomicLong lost = new AtomicLong();
    private boolean closed;

    /** Called by java.util.logging, which then has its properties. */
    public LogFileHandler() {
        this(null);
    }

    /** @param given properties by their names behind that of the handler; null for those of java.util.logging */
    LogFileHandler(@Nullable UnaryOperator<@Nullable String> given) {
        String name = getClass().getName();
        properties = given != null ? given : key -> LogManager.getLogManager().getProperty(name + "." + key);
        Path directory = directory(property("directory", "logs"));
        String prefix = property("prefix", "juli.");
        String suffix = property("suffix", ".log");
        boolean rotatable = Boolean.parseBoolean(property("rotatable", "true"));
        if (!rotatable && !prefix.isEmpty() && suffix.startsWith(prefix.substring(prefix.length() - 1))) {
            prefix = prefix.substring(0, prefix.length() - 1); // shop.log, not shop..log, as in juli
        }
        shown = directory.resolve(prefix + suffix);
        files = LogFiles.of(
                        directory,
                        prefix,
                        suffix,
                        rotatable ? "yyyy-MM-dd" : "",
                        false,
                        rotatable ? number("maxDays", -1) : -1,
                        false)
                .limited(Math.max(0, number("limit", 0)), Math.max(0, number("count", 0)));
        configure();
        lock.lock();
        try {
            open();
        } catch (IOException e) {
            failed(e);
        } finally {
            lock.unlock();
        }
    }

    /** Relative paths are relative to the base directory. */
    private static Path directory(String text) {
        return Path.of(System.getProperty("catalina.base", "")).resolve(text);
    }

    private void configure() {
        try {
            setLevel(Level.parse(property("level", "ALL")));
        } catch (IllegalArgumentException unknown) {
            setLevel(Level.ALL); // check reports it
        }
        Object filter = instance(property("filter", ""));
        if (filter instanceof Filter made) {
            setFilter(made);
        }
        Object formatter = instance(property("formatter", ""));
        setFormatter(formatter instanceof Formatter made ? made : new OneLineFormatter());
        String encoding = property("encoding", "");
        try {
            setEncoding(encoding.isEmpty() ? null : encoding);
        } catch (UnsupportedEncodingException unknown) {
            // that of the process
        }
    }

    private String property(String key, String otherwise) {
        String value = properties.apply(key);
        return value == null ? otherwise : value.strip();
    }

    private int number(String key, int otherwise) {
        try {
            return Integer.parseInt(property(key, Integer.toString(otherwise)));
        } catch (NumberFormatException e) {
            return otherwise; // check reports it
        }
    }

    /** Null if there is no such class; juli does not tell either. */
    private @Nullable Object instance(String className) {
        if (className.isEmpty()) {
            return null;
        }
        for (ClassLoader loader :
                new ClassLoader[] {Thread.currentThread().getContextClassLoader(), LogFileHandler.class.getClassLoader()
                }) {
            try {
                return Class.forName(className, true, loader).getConstructor().newInstance();
            } catch (ReflectiveOperationException | LinkageError e) {
                // the next one
            }
        }
        return null;
    }

    @Override
    public void publish(LogRecord entry) {
        if (isLoggable(entry)) {
            byte[] line;
            try {
                line = getFormatter().format(entry).getBytes(charset());
            } catch (Throwable broken) { // of an application's formatter
                dropped();
                return;
            }
            write(line);
        }
    }

    private Charset charset() {
        String encoding = getEncoding();
        if (encoding != null) {
            return Charset.forName(encoding);
        }
        return getFormatter() instanceof JsonFormatter ? StandardCharsets.UTF_8 : Charset.defaultCharset();
    }

    /** Writes a line now, or has it written. */
    void write(byte[] line) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            RotatingFile opened = file;
            if (opened == null) {
                opened = retry();
            }
            if (opened == null) {
                dropped();
                return;
            }
            if (lost.get() > 0) {
                reportLost(opened);
            }
            opened.write(line, line.length, System.currentTimeMillis());
            broken = false;
        } catch (IOException e) {
            dropped();
            failed(e);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable RotatingFile retry() throws IOException {
        return System.nanoTime() - failedAt < RETRY_NANOS ? null : open();
    }

    private RotatingFile open() throws IOException {
        RotatingFile opened = new RotatingFile(files);
        file = opened;
        return opened;
    }

    /** If it cannot be written, the count stays. A formatter that fails with it too costs the note only. */
    private void reportLost(RotatingFile to) throws IOException {
        long count = lost.get();
        LogRecord note = new LogRecord(Level.WARNING, StderrLog.lost(count));
        note.setLoggerName(LogFileHandler.class.getPackageName());
        byte[] line = null;
        try {
            line = getFormatter().format(note).getBytes(charset());
        } catch (Throwable broken) { // of an application's formatter
            // it has failed before: that is what was lost
        }
        if (line != null) {
            to.write(line, line.length, System.currentTimeMillis());
        }
        lost.addAndGet(-count);
    }

    /** Counts a line that is not written. Takes no lock: a disk may hang. */
    void dropped() {
        DroppedLines.add(1);
        lost.incrementAndGet();
    }

    /** Tells the first failure after a success, on stderr. */
    private void failed(IOException cause) {
        failedAt = System.nanoTime();
        if (!broken) {
            broken = true;
            StderrLog.write(
                    Instant.now(),
                    Logger.Level.ERROR,
                    LogFileHandler.class.getPackageName(),
                    "MILLRACE0620: Cannot write the log " + shown + " (" + cause.getMessage()
                            + "); its lines are lost until writing succeeds again",
                    null);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (file != null) {
                file.close();
                file = null;
            }
        } catch (IOException e) {
            // nothing is buffered
        } finally {
            lock.unlock();
        }
    }

    /** Has its lines written by a thread, so that a slow disk does not delay requests; while too many wait, further ones are dropped. */
    public static final class Async extends LogFileHandler {

        /** Of all files together; juli's property and default. */
        private static final int MAX_LINES = Integer.getInteger("org.apache.juli.AsyncMaxRecordCount", 10_000);

        private static final ThreadPoolExecutor WRITER = writer();

        /** Called by java.util.logging. */
        public Async() {}

        Async(UnaryOperator<@Nullable String> properties) {
            super(properties);
        }

        private static ThreadPoolExecutor writer() {
            ThreadPoolExecutor made = new ThreadPoolExecutor(
                    1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(Math.max(1, MAX_LINES)), work -> {
                        // inherits nothing of the application whose thread logs first
                        Thread thread = new Thread(null, work, "millrace-log", 0, false);
                        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
                        thread.setDaemon(true);
                        return thread;
                    });
            made.allowCoreThreadTimeOut(true);
            return made;
        }

        @Override
        void write(byte[] line) {
            try {
                WRITER.execute(() -> super.write(line));
            } catch (RejectedExecutionException full) {
                dropped();
            }
        }

        /** Waits for the lines that were logged before, for five seconds at most. */
        @Override
        public void flush() {
            CountDownLatch written = new CountDownLatch(1);
            try {
                WRITER.execute(written::countDown);
                written.await(5, TimeUnit.SECONDS);
            } catch (RejectedExecutionException full) {
                // the writer is busy
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            flush();
            super.close();
        }
    }
}
