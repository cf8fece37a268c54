package io.millrace.standalone;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.log.StderrLog;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.LogManager;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/** Sets the level of the server's log on stderr. */
final class ConsoleLog {

    private static final Map<String, Level> LEVELS = Map.of(
            "error", Level.ERROR,
            "warn", Level.WARN,
            "info", Level.INFO,
            "debug", Level.DEBUG,
            "trace", Level.TRACE);

    private static final Map<Level, java.util.logging.Level> JUL_LEVELS = Map.of(
            Level.ERROR, java.util.logging.Level.SEVERE,
            Level.WARN, java.util.logging.Level.WARNING,
            Level.INFO, java.util.logging.Level.INFO,
            Level.DEBUG, java.util.logging.Level.FINE,
            Level.TRACE, java.util.logging.Level.FINER);

    private ConsoleLog() {}

    /** The option that selects how messages are written. */
    private static final Option FORMAT_OPTION = Option.of(
            "--log-format",
            "FORMAT",
            "How the server log is written: text, or json, one object per line. Default: text");

    private static final Option VERBOSE_OPTION =
            Option.flag("--verbose", "Log what happens in detail; MILLRACE_LOG=debug does the same");

    /** The options of commands that run a server. */
    static final List<Option> OPTIONS = List.of(FORMAT_OPTION, VERBOSE_OPTION);

    /**
     * Must be called before the first application is read.
     *
     * @param arguments with {@link #OPTIONS}; {@code --verbose} selects debug, whatever MILLRACE_LOG is
     */
    static void install(Arguments arguments) throws OperatorException {
        String format = arguments.text(FORMAT_OPTION.name());
        if (format != null && !format.equals("text") && !format.equals("json")) {
            throw new OperatorException(FORMAT_OPTION.name() + " " + format + ": expected text or json");
        }
        StderrLog.json("json".equals(format));
        Level asked = arguments.flag(VERBOSE_OPTION.name()) ? Level.DEBUG : level(System.getenv("MILLRACE_LOG"));
        StderrLog.level(asked == null ? Level.INFO : asked);
        // reads its configuration now, while the thread's context class loader is not an application's
        LogManager.getLogManager();
        if (asked != null) {
            Product.LOGGER.setLevel(JUL_LEVELS.get(asked)); // with a logging.properties
        }
    }

    /** Whether {@code --log-format} is json. */
    static boolean isJson() {
        return StderrLog.isJson();
    }

    /**
     * Sets the level of a logger of the server, or of an application's that logs like one.
     *
     * @return sets it back
     * @throws IllegalArgumentException if there is no such level
     */
    static Runnable set(String logger, String name) {
        Level level = LEVELS.get(name.strip().toLowerCase(Locale.ROOT));
        if (level == null) {
            throw new IllegalArgumentException("level=" + name + ": expected error, warn, info, debug or trace");
        }
        java.util.logging.Logger jul = java.util.logging.Logger.getLogger(logger);
        java.util.logging.Level before = jul.getLevel();
        Level beforeHere = StderrLog.level(logger, level);
        CHANGED.put(logger, jul);
        jul.setLevel(JUL_LEVELS.get(level));
        return () -> {
            StderrLog.level(logger, beforeHere);
            jul.setLevel(before);
            CHANGED.remove(logger);
        };
    }

    /** Strong references to the loggers whose level was set. */
    private static final Map<String, java.util.logging.Logger> CHANGED = new ConcurrentHashMap<>();

    /** A strong reference: java.util.logging drops the level of an unreachable logger. Loaded after the log manager has read its file. */
    private static final class Product {

        static final java.util.logging.Logger LOGGER = java.util.logging.Logger.getLogger("io.millrace");
    }

    private static @Nullable Level level(@Nullable String name) throws OperatorException {
        if (name == null || name.isBlank()) {
            return null;
        }
        Level level = LEVELS.get(name.strip().toLowerCase(Locale.ROOT));
        if (level == null) {
            throw new OperatorException("MILLRACE_LOG=" + name + ": expected error, warn, info, debug or trace");
        }
        return level;
    }
}
