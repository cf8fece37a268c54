package io.millrace.standalone.log;

import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/** A logger of java.util.logging. */
final class JulTarget implements LogTarget {

    private static final String LAMBDA = "lambda$";

    private final Logger logger;

    private JulTarget(Logger logger) {
        this.logger = logger;
    }

    /** A logger of the application that the thread's context class loader identifies; its logging.properties can configure it. */
    static JulTarget ofApplication(String name) {
        return new JulTarget(Logger.getLogger(name));
    }

    /** A logger of the server. The log manager chooses by the context class loader, which may be an application's here. */
    static JulTarget of(String name) {
        Thread thread = Thread.currentThread();
        ClassLoader context = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        try {
            return new JulTarget(Logger.getLogger(name));
        } finally {
            thread.setContextClassLoader(context);
        }
    }

    @Override
    public boolean takes(Level level) {
        return logger.isLoggable(julLevel(level));
    }

    @Override
    public void write(Level level, String facade, @Nullable String message, @Nullable Throwable thrown) {
        LogRecord entry = new LogRecord(julLevel(level), message);
        entry.setLoggerName(logger.getName());
        entry.setThrown(thrown);
        StackWalker.getInstance()
                .walk(frames -> frames.dropWhile(frame -> !frame.getClassName().equals(facade))
                        .dropWhile(frame -> frame.getClassName().equals(facade))
                        .findFirst())
                .ifPresent(source -> {
                    entry.setSourceClassName(source.getClassName());
                    entry.setSourceMethodName(written(source.getMethodName()));
                });
        logger.log(entry);
    }

    /** The method in the source: the body of a lambda is compiled as {@code lambda$prepare$0}. */
    private static String written(String method) {
        int end = method.lastIndexOf('$');
        return method.startsWith(LAMBDA) && end > LAMBDA.length() ? method.substring(LAMBDA.length(), end) : method;
    }

    private static java.util.logging.Level julLevel(Level level) {
        return switch (level) {
            case FATAL, ERROR -> java.util.logging.Level.SEVERE;
            case WARN -> java.util.logging.Level.WARNING;
            case INFO -> java.util.logging.Level.INFO;
            case DEBUG -> java.util.logging.Level.FINE;
            case TRACE -> java.util.logging.Level.FINER;
        };
    }
}
