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
 * A web application as seen by its requests. The thread that starts the application calls {@link #complete}; from then on it is
 * immutable and thread-safe.
 */
public final class AppView {

    private final AppSettings settings;
    private final String escapedContextPath;
    private final ServletContext servletContext;
    private final Sessions sessions;
    private final CookieWriter cookieWriter;
    private final Instances instances;
    private final RequestListeners listeners;
    private final UpgradePoint upgrades;
    private final Supplier<Routes> routesSoFar;
    /** The settings by connector, with the application's as defaults. */
    private final Map<Settings, Settings> ofConnectors = new ConcurrentHashMap<>();

    private final ErrorPageTable errorPages;
    private @Nullable AccessControl access;
    private @Nullable Routes routes;

    /** @param routesSoFar creates the routes to the components registered so far */
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
        this.escapedContextPath = settings.escapedContextPath();
        this.servletContext = servletContext;
        this.sessions = sessions;
        this.cookieWriter = cookieWriter;
        this.instances = instances;
        this.listeners = listeners;
        this.upgrades = upgrades;
        this.routesSoFar = routesSoFar;
        this.errorPages = new ErrorPageTable(settings.model().errorPages);
    }

    /** Completes the application: all components are registered. */
    public void complete(AccessControl control) {
        access = control;
        routes = routesSoFar.get();
    }

    public AppSettings settings() {
        return settings;
    }

    /** Decoded; {@code ""} for the root. */
    public String contextPath() {
        return settings.contextPath();
    }

    /** The context path as it is written into URLs. */
    public String escapedContextPath() {
        return escapedContextPath;
    }

    /** The context path for display. */
    public String displayPath() {
        return settings.displayPath();
    }

    public ServletContext servletContext() {
        return servletContext;
    }

    /** The settings of the request's connector, with the application's as defaults. */
    public Settings connectorSettings(HttpExchange exchange) {
        Settings connector = exchange.attribute(Connector.SETTINGS);
        if (connector == null) {
            return settings.settings();
        }
        Settings known = ofConnectors.get(connector);
        return known != null ? known : ofConnectors.computeIfAbsent(connector, settings.settings()::overriddenBy);
    }

    /**
     * The access control of requests.
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

    /** The routes; while the application starts, those to the components registered so far. */
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

    /** Instantiates the application's classes. */
    public Instances instances() {
        return instances;
    }

    public RequestListeners listeners() {
        return listeners;
    }

    /** The handlers of upgrade requests. */
    public UpgradePoint upgrades() {
        return upgrades;
    }

    /**
     * Runs the final action for an exchange that has ended: on a worker of its connector, or on the calling thread if the workers
     * have stopped. Called on threads that must not block.
     */
    public void runLast(HttpExchange exchange, Runnable last) {
        Runnable inContext = () -> run(last);
        try {
            exchange.channel().workers().execute(inContext);
        } catch (RejectedExecutionException stopping) {
            try {
                inContext.run();
            } finally {
                Thread.interrupted(); // the interrupt must not reach other users of this thread
            }
        }
    }

    /** Runs an action with the application's class loader as context class loader. */
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
