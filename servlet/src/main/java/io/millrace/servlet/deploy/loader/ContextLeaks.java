package io.millrace.servlet.deploy.loader;

import java.beans.Introspector;
import java.util.List;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What a stopped application left in the JVM that keeps its classes in memory: logged, and undone where that is safe. Threads are
 * only named: only the application can end them.
 */
public final class ContextLeaks {

    private static final Logger LOG = Logger.getLogger(ContextLeaks.class);

    private final WebAppClassLoader loader;
    private final String application;

    public ContextLeaks(WebAppClassLoader loader) {
        this.loader = loader;
        this.application = String.valueOf(loader.getName());
    }

    public void release() {
        List<String> drivers = drivers();
        if (!drivers.isEmpty()) {
            LoaderMessages.MESSAGES.driversLeft(application, String.join(", ", drivers));
        }
        String threads = threads();
        if (!threads.isEmpty()) {
            LoaderMessages.MESSAGES.threadsLeft(application, threads);
        }
        // JSP engines ask it for the properties of beans and tags; it keeps them until memory runs short
        if (ModuleLayer.boot().findModule("java.desktop").isPresent()) {
            Introspector.flushCaches();
        }
    }

    private List<String> drivers() {
        try {
            return loader.deregisterDrivers();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            LOG.debugf(e, "the JDBC drivers of %s could not be looked at", application);
            return List.of();
        }
    }

    /** Those that run its code or have its context class loader; the application chose the names. */
    String threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.equals(Thread.currentThread()) && holds(thread))
                .map(thread -> thread.getName().replaceAll("\\p{Cntrl}", "?"))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private boolean holds(Thread thread) {
        return isOwn(thread.getClass().getClassLoader()) || isOwn(thread.getContextClassLoader());
    }

    /** The loaders of its pages stand below its own. */
    private boolean isOwn(@Nullable ClassLoader of) {
        for (ClassLoader at = of; at != null; at = at.getParent()) {
            if (at.equals(loader)) {
                return true;
            }
        }
        return false;
    }
}
