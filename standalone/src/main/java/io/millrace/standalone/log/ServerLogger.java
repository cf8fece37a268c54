package io.millrace.standalone.log;

import java.text.MessageFormat;
import java.util.Locale;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A logger of the server's own code. */
@SuppressWarnings("serial") // the superclass writes a name in its place
final class ServerLogger extends Logger {

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
            String text = String.valueOf(message);
            boolean plain = parameters == null || parameters.length == 0;
            target.write(level, facade, plain ? text : new MessageFormat(text, Locale.ROOT).format(parameters), thrown);
        }
    }

    @Override
    protected void doLogf(
            Level level, String facade, String format, Object @Nullable [] parameters, @Nullable Throwable thrown) {
        if (target.takes(level)) {
            boolean plain = parameters == null;
            target.write(level, facade, plain ? format : String.format(Locale.ROOT, format, parameters), thrown);
        }
    }
}
