package io.millrace.standalone.log;

import java.time.Instant;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import org.jboss.logging.LoggerProvider;
import org.jspecify.annotations.Nullable;

/**
 * Makes the server's loggers. They write to the {@link StderrLog}, or, where an operator configured java.util.logging by a
 * file, to that. Found by jboss-logging as a service; applications do not see it. Nothing here uses diagnostic contexts.
 */
public final class ServerLogProvider implements LoggerProvider {

    private static final boolean CONFIGURED = ServerLogManager.isConfiguredByOperator();

    /** What applications log by their ServletContext: a logger of their own, as in Tomcat. */
    private static final String OF_APPLICATIONS = "org.apache.catalina.core.ContainerBase.";

    /** Called by jboss-logging. */
    public ServerLogProvider() {}

    @Override
    public Logger getLogger(String name) {
        if (name.startsWith(OF_APPLICATIONS)) {
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
}
