package io.millrace.standalone;

import java.util.Locale;
import java.util.Map;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Sends the server's log to stderr. A configuration of the operator's own is left alone. */
final class ConsoleLog {

    private static final Map<String, Level> LEVELS = Map.of(
            "error", Level.SEVERE,
            "warn", Level.WARNING,
            "info", Level.INFO,
            "debug", Level.FINE,
            "trace", Level.FINEST);

    /** java.util.logging forgets the levels of loggers that nobody holds. */
    private static final Logger MILLRACE = Logger.getLogger("io.millrace");

    /** Greets with its version at INFO. */
    private static final Logger XNIO = Logger.getLogger("org.xnio");

    private ConsoleLog() {}

    /**
     * To be called before the first logger of jboss-logging is made.
     *
     * @param verbose wish for debug, whatever MILLRACE_LOG says
     */
    static void install(boolean verbose) throws OperatorException {
        System.setProperty("org.jboss.logging.provider", "jdk");
        Level level = verbose ? Level.FINE : level(System.getenv("MILLRACE_LOG"));
        if (System.getProperty("java.util.logging.config.file") != null) {
            return;
        }
        XNIO.setLevel(Level.WARNING);
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        ConsoleHandler console = new ConsoleHandler();
        console.setFormatter(new ConsoleFormat());
        console.setLevel(Level.ALL);
        root.addHandler(console);
        MILLRACE.setLevel(level);
    }

    private static Level level(@Nullable String name) throws OperatorException {
        if (name == null || name.isBlank()) {
            return Level.INFO;
        }
        Level level = LEVELS.get(name.strip().toLowerCase(Locale.ROOT));
        if (level == null) {
            throw new OperatorException("MILLRACE_LOG=" + name + ": expected error, warn, info, debug or trace");
        }
        return level;
    }
}
