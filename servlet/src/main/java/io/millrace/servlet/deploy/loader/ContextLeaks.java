package io.millrace.servlet.deploy.loader;

import io.millrace.servlet.log.ServletLog;
import io.millrace.text.Printable;
import java.beans.Introspector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Class loader leaks: references that a stopped application left in the JVM and that keep its classes in memory. JDBC drivers
 * are deregistered, and the JDK's caches of its classes cleared; threads are only logged, since only the application can end
 * them.
 */
public final class ContextLeaks {

    private static final Logger LOG = Logger.getLogger(ContextLeaks.class);

    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration POLL = Duration.ofMillis(20);

    private final WebAppClassLoader loader;
    private final String application;

    public ContextLeaks(WebAppClassLoader loader) {
        this.loader = loader;
        this.application = String.valueOf(loader.getName());
    }

    /** Logs and removes the leaks. Call it once, after the application has stopped and before its class loader is closed. */
    public void release() {
        List<String> drivers = drivers();
        if (!drivers.isEmpty()) {
            ServletLog.DEPLOY.driversLeft(application, String.join(", ", drivers));
        }
        String threads = lastingThreads();
        if (!threads.isEmpty()) {
            ServletLog.DEPLOY.threadsLeft(application, threads);
        }
        // JSP engines introspect beans and tags; the Introspector caches the results
        if (ModuleLayer.boot().findModule("java.desktop").isPresent()) {
            Introspector.flushCaches();
        }
    }

    private List<String> drivers() {
        try {
            return loader.deregisterDrivers();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            LOG.debugf(e, "failed to list the JDBC drivers of %s", application);
            return List.of();
        }
    }

    /** Those that are left after a while: a worker of the server, or a thread that has been told to end, may be about to let go. */
    String lastingThreads() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        String threads = threads();
        while (!threads.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL.toNanos());
            threads = threads();
        }
        return threads;
    }

    /** The threads whose class or context class loader is the application's. It chose their names, so they are escaped. */
    String threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.equals(Thread.currentThread()) && holds(thread))
                .map(thread -> Printable.of(thread.getName()))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private boolean holds(Thread thread) {
        return isOwn(thread.getClass().getClassLoader()) || isOwn(thread.getContextClassLoader());
    }

    /** The class loaders of JSP pages are descendants of the application's. */
    private boolean isOwn(@Nullable ClassLoader of) {
        for (ClassLoader at = of; at != null; at = at.getParent()) {
            if (at.equals(loader)) {
                return true;
            }
        }
        return false;
    }
}
