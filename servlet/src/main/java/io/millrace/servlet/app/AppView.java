package io.millrace.servlet.app;

import io.millrace.Connector;
import io.millrace.exchange.HttpExchange;
import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.inject.Instances;
import io.millrace.servlet.security.AccessControl;
import io.millrace.servlet.session.Sessions;
import io.millrace.servlet.upgrade.UpgradePoint;
import io.millrace.settings.Settings;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * A web application as its requests see it. The thread that starts the application completes it by {@link #complete}; from
 * then on it is immutable, and for any thread.
 */
public final class AppView {

    private final AppSettings settings;
    private final ServletContext servletContext;
    private final Sessions sessions;
    private final CookieWriter cookieWriter;
    private final Instances instances;
    private final RequestListeners listeners;
    private final UpgradePoint upgrades;
    private final Supplier<Routes> routesSoFar;
    /** The application's own under those of each connector. */
    private final Map<Settings, Settings> ofConnectors = new ConcurrentHashMap<>();

    private final ErrorPageTable errorPages;
    private @Nullable AccessControl access;
    private @Nullable Routes routes;

    /** @param routesSoFar makes the routes of what is registered when it is asked */
    public AppView(
            AppSettings settings,
            ServletContext servletContext,
            Sessions sessions,
            CookieWriter cookieWriter,
            Instances instances,
            RequestListeners listeners,
            UpgradePoint upgrades,
            Supplier<Routes> routesSoFar) {
        this.settings = settings;
        this.servletContext = servletContext;
        this.sessions = sessions;
        this.cookieWriter = cookieWriter;
        this.instances = instances;
        this.listeners = listeners;
        this.upgrades = upgrades;
        this.routesSoFar = routesSoFar;
        this.errorPages = new ErrorPageTable(settings.model().errorPages);
    }

    /** All is registered: requests may come. */
    public void complete(AccessControl control) {
        access = control;
        routes = routesSoFar.get();
    }

    public AppSettings settings() {
        return settings;
    }

    /** {@code ""} for the root. */
    public String contextPath() {
        return settings.contextPath();
    }

    /** The context path as people read it. */
    public String displayPath() {
        return settings.displayPath();
    }

    public ServletContext servletContext() {
        return servletContext;
    }

    /** What the connector says that a request came by; else what the application says. */
    public Settings connectorSettings(HttpExchange exchange) {
        Settings connector = exchange.attributes().get(Connector.SETTINGS);
        if (connector == null) {
            return settings.settings();
        }
        Settings known = ofConnectors.get(connector);
        return known != null ? known : ofConnectors.computeIfAbsent(connector, settings.settings()::overriddenBy);
    }

    /**
     * Who may log in and what they may do.
     *
     * @throws IllegalStateException if the application has not been started
     */
    public AccessControl access() {
        AccessControl control = access;
        if (control == null) {
            throw new IllegalStateException("the web application has not been started");
        }
        return control;
    }

    /** Where paths lead; while the application starts, where they would lead if it were complete. */
    public Routes routes() {
        Routes known = routes;
        return known != null ? known : routesSoFar.get();
    }

    public ErrorPageTable errorPages() {
        return errorPages;
    }

    public Sessions sessions() {
        return sessions;
    }

    public CookieWriter cookieWriter() {
        return cookieWriter;
    }

    /** What makes objects of the application's classes. */
    public Instances instances() {
        return instances;
    }

    public RequestListeners listeners() {
        return listeners;
    }

    /** Who answers requests to upgrade. */
    public UpgradePoint upgrades() {
        return upgrades;
    }

    /**
     * Runs the last that the application hears of an exchange, which has ended: on a worker of its connector, or here if
     * there are none any more, mostly since the server has stopped. For threads that must not block.
     */
    public void runLast(HttpExchange exchange, Runnable last) {
        Runnable inContext = () -> run(last);
        try {
            exchange.channel().workers().execute(inContext);
        } catch (RejectedExecutionException stopping) {
            try {
                inContext.run();
            } finally {
                Thread.interrupted(); // this thread serves others too
            }
        }
    }

    /** Runs something with the application's class loader as the thread's own. */
    public void run(Runnable action) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(settings.loader());
        try {
            action.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
