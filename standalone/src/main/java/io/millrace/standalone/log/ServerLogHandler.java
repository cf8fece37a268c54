package io.millrace.standalone.log;

import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.jboss.logging.Logger;

/**
 * Writes messages of java.util.logging, from applications and libraries, to the {@link StderrLog}. It is not a ConsoleHandler,
 * because Spring Boot removes those and tomcat-juli changes their formatter. Closing it has no effect. Thread-safe.
 */
public final class ServerLogHandler extends Handler {

    /** Resolves a message's resource bundle and parameters. */
    private static final Formatter MESSAGES = new SimpleFormatter();

    /** Called by java.util.logging. */
    public ServerLogHandler() {}

    @Override
    public void publish(LogRecord entry) {
        if (isLoggable(entry)) {
            String logger = entry.getLoggerName();
            StderrLog.write(
                    entry.getInstant(),
                    level(entry.getLevel().intValue()),
                    logger == null || logger.isEmpty() ? "java.util.logging" : logger,
                    JsonFormatter.message(MESSAGES, entry),
                    entry.getThrown());
        }
    }

    private static Logger.Level level(int value) {
        if (value >= Level.SEVERE.intValue()) {
            return Logger.Level.ERROR;
        }
        if (value >= Level.WARNING.intValue()) {
            return Logger.Level.WARN;
        }
        return value >= Level.INFO.intValue() ? Logger.Level.INFO : Logger.Level.DEBUG;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
