package io.millrace.standalone;

import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.log.ServerLog;
import java.util.Locale;
import java.util.Map;
import java.util.logging.LogManager;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/** How much the server's log on stderr says. */
final class ConsoleLog {

    private static final Map<String, Level> LEVELS = Map.of(
            "error", Level.ERROR,
            "warn", Level.WARN,
            "info", Level.INFO,
            "debug", Level.DEBUG,
            "trace", Level.TRACE);

    private ConsoleLog() {}

    /**
     * To be called before the first application is read.
     *
     * @param verbose wish for debug, whatever MILLRACE_LOG says
     */
    static void install(boolean verbose) throws OperatorException {
        ServerLog.level(verbose ? Level.DEBUG : level(System.getenv("MILLRACE_LOG")));
        // reads its configuration now, on a thread whose context class loader is no application's
        LogManager.getLogManager();
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
