package io.millrace.junit;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/**
 * What a server under test has logged, by {@code java.util.logging}: its own messages and what its applications write with {@code
 * ServletContext.log}. While a server runs, these lines go nowhere else. Lines belong to a server by the names of its threads, and
 * while it starts and stops, by the thread that starts and stops it; a line of any other thread belongs to all servers. Thread-safe.
 */
public final class LogLines {

    private static final Tap TAP = new Tap();
    private static final ThreadLocal<LogLines> CURRENT = new ThreadLocal<>();

    /** Names of the server's threads begin with it. */
    private final String prefix;

    /** Guarded by this. */
    private final List<String> lines = new ArrayList<>();

    private LogLines(String prefix) {
        this.prefix = prefix;
    }

    /** Collects lines until it is closed. */
    static LogLines open(String prefix) {
        LogLines log = new LogLines(prefix);
        TAP.add(log);
        return log;
    }

    void close() {
        TAP.remove(this);
    }

    /** An action whose thread's lines belong to this server. */
    interface Step {
        void run() throws Exception;
    }

    /** Runs an action to whose server the lines of this thread belong. */
    void during(Step step) throws Exception {
        LogLines before = CURRENT.get();
        CURRENT.set(this);
        try {
            step.run();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }

    /** All lines since the server was started for the first time; a copy. An exception's stack trace is part of its line. */
    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    /** The lines from this index on. */
    synchronized List<String> from(int index) {
        return List.copyOf(lines.subList(Math.min(index, lines.size()), lines.size()));
    }

    synchronized int size() {
        return lines.size();
    }

    /**
     * Waits for at most ten seconds until a line contains this text, and returns it.
     *
     * @throws AssertionError if no line contains it; its message has the lines
     */
    public synchronized String await(String part) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (true) {
            for (String line : lines) {
                if (line.contains(part)) {
                    return line;
                }
            }
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                throw new AssertionError("no line of the server's log contains \"" + part + "\"; it has\n" + this);
            }
            wait(millis);
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }

    /** The lines, one below the other. */
    @Override
    public synchronized String toString() {
        return String.join("\n", lines);
    }

    /** Takes the place of the handlers that the loggers of servers have otherwise. */
    private static final class Tap extends Handler {

        private final List<LogLines> logs = new CopyOnWriteArrayList<>();
        private final SimpleFormatter messages = new SimpleFormatter();
        /** Null while no server is running; kept, so that it is not collected. Guarded by this. */
        private @Nullable Logger logger;

        private boolean usedParents;

        synchronized void add(LogLines log) {
            if (logger == null) {
                Logger tapped = Logger.getLogger("io.millrace");
                usedParents = tapped.getUseParentHandlers();
                tapped.setUseParentHandlers(false);
                tapped.addHandler(this);
                logger = tapped;
            }
            logs.add(log);
        }

        synchronized void remove(LogLines log) {
            logs.remove(log);
            Logger tapped = logger;
            if (logs.isEmpty() && tapped != null) {
                tapped.removeHandler(this);
                tapped.setUseParentHandlers(usedParents);
                logger = null;
            }
        }

        @Override
        public void publish(LogRecord record) {
            if (record.getLevel().intValue() < Level.INFO.intValue()) {
                return; // finer levels are switched on for other handlers
            }
            String line = line(record);
            LogLines owner = owner();
            if (owner == null) {
                logs.forEach(log -> log.add(line));
            } else {
                owner.add(line);
            }
        }

        private @Nullable LogLines owner() {
            LogLines current = CURRENT.get();
            if (current != null) {
                return current;
            }
            String thread = Thread.currentThread().getName();
            for (LogLines log : logs) {
                if (thread.startsWith(log.prefix)) {
                    return log;
                }
            }
            return null;
        }

        private String line(LogRecord record) {
            StringWriter text = new StringWriter();
            PrintWriter out = new PrintWriter(text);
            out.printf(
                    Locale.ROOT,
                    "%1$tT.%1$tL %2$-7s %3$s",
                    record.getMillis(),
                    record.getLevel(),
                    messages.formatMessage(record));
            Throwable thrown = record.getThrown();
            if (thrown != null) {
                out.println();
                thrown.printStackTrace(out);
            }
            return text.toString().stripTrailing();
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
