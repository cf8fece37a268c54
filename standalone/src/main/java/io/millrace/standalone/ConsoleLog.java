package io.millrace.standalone;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.log.ServerLogManager;
import io.millrace.standalone.log.StderrLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
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
     * Sets the level of the loggers of this name, of the server and of the applications that run. The last setting that was not
     * taken back counts, whatever ends in between.
     *
     * @param lasts whether it is not taken back, so that those before it do not matter any more
     * @return takes it back
     * @throws IllegalArgumentException if there is no such level
     */
    static Runnable set(String logger, String name, boolean lasts) {
        Level level = LEVELS.get(name.strip().toLowerCase(Locale.ROOT));
        if (level == null) {
            throw new IllegalArgumentException("level=" + name + ": expected error, warn, info, debug or trace");
        }
        return CHANGED.computeIfAbsent(logger, Changes::new).add(level, lasts);
    }

    private static final Map<String, Changes> CHANGED = new ConcurrentHashMap<>();

    /** The settings of the loggers of one name. Thread-safe. */
    private static final class Changes {

        private final String name;

        /** With their levels before. Those of applications end with them. */
        private final Map<java.util.logging.Logger, Optional<java.util.logging.Level>> loggers = new WeakHashMap<>();

        /** A strong reference to the server's. */
        @SuppressWarnings("unused")
        private java.util.logging.@Nullable Logger own;

        /** In the order in which they were made; compared by identity. */
        private final List<AtomicReference<Level>> settings = new ArrayList<>();

        Changes(String name) {
            this.name = name;
        }

        synchronized Runnable add(Level level, boolean lasts) {
            if (lasts) {
                settings.clear();
            }
            AtomicReference<Level> setting = new AtomicReference<>(level);
            settings.add(setting);
            apply();
            return () -> remove(setting);
        }

        private synchronized void remove(AtomicReference<Level> setting) {
            settings.remove(setting);
            apply();
        }

        private void apply() {
            Level level = settings.isEmpty()
                    ? null
                    : settings.get(settings.size() - 1).get();
            StderrLog.level(name, level);
            own = java.util.logging.Logger.getLogger(name);
            List<java.util.logging.Logger> all = ServerLogManager.everywhere(name);
            all.add(own);
            for (java.util.logging.Logger each : all) {
                Optional<java.util.logging.Level> before =
                        loggers.computeIfAbsent(each, first -> Optional.ofNullable(first.getLevel()));
                each.setLevel(level == null ? before.orElse(null) : JUL_LEVELS.get(level));
            }
            if (level == null) {
                loggers.clear();
            }
        }
    }

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
