package io.millrace.standalone.log;

import java.text.MessageFormat;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import org.jboss.logging.LoggerProvider;
import org.jspecify.annotations.Nullable;

/**
 * Creates the server's loggers for jboss-logging. They write to the {@link StderrLog}, or to java.util.logging if the operator
 * has configured that by a file. Not visible to applications. Diagnostic contexts (MDC, NDC) are not supported.
 */
public final class ServerLogProvider implements LoggerProvider {

    private static final boolean CONFIGURED = ServerLogManager.isConfiguredByOperator();

    /** Called by jboss-logging. */
    public ServerLogProvider() {}

    @Override
    public Logger getLogger(String name) {
        if (name.startsWith(LogOrigin.OF_APPLICATIONS)) {
            return new ServerLogger(name, JulTarget.ofApplication(name));
        }
        return new ServerLogger(name, CONFIGURED ? JulTarget.of(name) : new LinesTarget(name));
    }

    private record LinesTarget(String name) implements LogTarget {

        @Override
        public boolean takes(Level level) {
            return StderrLog.takes(name, level);
        }

        @Override
        public void write(Level level, String facade, @Nullable String message, @Nullable Throwable thrown) {
            StderrLog.write(Instant.now(), level, name, message, thrown);
        }
    }

    @Override
    public void clearMdc() {}

    @Override
    public @Nullable Object putMdc(String key, Object value) {
        return null;
    }

    @Override
    public @Nullable Object getMdc(String key) {
        return null;
    }

    @Override
    public void removeMdc(String key) {}

    @Override
    public Map<String, Object> getMdcMap() {
        return Map.of();
    }

    @Override
    public void clearNdc() {}

    @Override
    public @Nullable String getNdc() {
        return null;
    }

    @Override
    public int getNdcDepth() {
        return 0;
    }

    @Override
    public @Nullable String popNdc() {
        return null;
    }

    @Override
    public @Nullable String peekNdc() {
        return null;
    }

    @Override
    public void pushNdc(String message) {}

    @Override
    public void setNdcMaxDepth(int maxDepth) {}

    /** A logger of the server's own code. */
    @SuppressWarnings("serial") // the superclass writes a name in its place
    private static final class ServerLogger extends Logger {

        private final transient LogTarget target;

        ServerLogger(String name, LogTarget target) {
            super(name);
            this.target = target;
        }

        @Override
        public boolean isEnabled(Level level) {
            return target.takes(level);
        }

        @Override
        protected void doLog(
                Level level,
                String facade,
                @Nullable Object message,
                Object @Nullable [] parameters,
                @Nullable Throwable thrown) {
            if (target.takes(level)) {
                String text = textOf(() -> String.valueOf(message), "(the message)");
                boolean plain = parameters == null || parameters.length == 0;
                target.write(
                        level,
                        facade,
                        plain ? text : textOf(() -> new MessageFormat(text, Locale.ROOT).format(parameters), text),
                        thrown);
            }
        }

        @Override
        protected void doLogf(
                Level level, String facade, String format, Object @Nullable [] parameters, @Nullable Throwable thrown) {
            if (target.takes(level)) {
                boolean plain = parameters == null;
                target.write(
                        level,
                        facade,
                        plain ? format : textOf(() -> String.format(Locale.ROOT, format, parameters), format),
                        thrown);
            }
        }

        /** A parameter's toString may throw anything, which must not fail what logs. */
        private static String textOf(Supplier<String> formatted, String raw) {
            try {
                return formatted.get();
            } catch (Throwable broken) {
                return raw + " (a parameter threw " + broken.getClass().getName() + ")";
            }
        }
    }
}
