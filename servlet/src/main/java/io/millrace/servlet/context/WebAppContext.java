package io.millrace.servlet.context;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.exchange.HttpExchange;
import io.millrace.servlet.ConnectorSettings;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.inject.Injector;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.Naming;
import io.millrace.servlet.resource.ResourceTree;
import io.millrace.servlet.security.AccessControl;
import io.millrace.servlet.session.Sessions;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one web application share. It only holds them: each knows its own business. Written by the thread that
 * starts the application, then read by any.
 */
public final class WebAppContext {

    private final AppSettings settings;
    private final ServerContext server;
    private final ConnectorSettings unlessGiven;
    private final Phase phase = new Phase();
    private final Listeners listeners;
    private final CookieWriter cookieWriter;
    private final ResourceTree resources;
    private final Instances instances;
    private final ServletContextImpl servletContext;
    private final ContextAttributes attributes;
    private final Registrations registrations;
    private final ErrorPages errorPages;
    private final Sessions sessions;
    private @Nullable AccessControl access;
    private @Nullable Routes routes;

    public WebAppContext(AppSettings settings, ServerContext server, Naming naming) {
        this.settings = settings;
        this.server = server;
        this.unlessGiven = ConnectorSettings.DEFAULTS
                .withForms(settings.formLimits(), ConnectorSettings.DEFAULTS.formMethods())
                .withRedirectPort(settings.redirectPort());
        this.cookieWriter = new CookieWriter(settings.sameSite());
        this.resources = new ResourceTree(settings.docBase(), settings.resourceRoots(), settings.links());
        this.instances = new Instances(settings.loader(), new Injector(settings.model(), naming, settings.loader()));
        this.listeners = new Listeners(phase, instances);
        this.servletContext = new ServletContextImpl(this);
        this.attributes = new ContextAttributes(servletContext, listeners.contextAttributes());
        this.registrations = new Registrations(settings.model(), instances, servletContext, phase);
        this.errorPages = new ErrorPages(settings.model().errorPages);
        this.sessions = new Sessions(
                servletContext,
                settings.model().session,
                settings.sessions(),
                cookieWriter,
                settings.jvmRoute(),
                settings.model().distributable,
                server);
    }

    /** Fixes what may only be said while the application starts, and makes what follows from it. */
    void freeze() {
        phase.freeze();
        new JspPages(registrations, settings.model()).settle();
        registrations.settleSecurity();
        access = new AccessControl(
                settings.model(), settings.displayPath(), settings.identityStore(), settings.loginOptions());
        routes = new Routes(this);
        listeners.sessions().forEach(sessions::addListener);
        sessions.start();
    }

    /** {@code ""} for the root. */
    public String contextPath() {
        return settings.contextPath();
    }

    public ServletContext servletContext() {
        return servletContext;
    }

    /** The same for listeners that nobody has declared. */
    ServletContext restrictedContext() {
        return RestrictedContext.of(servletContext);
    }

    /**
     * The application behind a context.
     *
     * @throws IllegalArgumentException if it is none of ours
     */
    public static WebAppContext of(ServletContext context) {
        ServletContextImpl own = RestrictedContext.behind(context);
        if (own != null) {
            return own.app();
        }
        throw new IllegalArgumentException(context + " is no context that getServletContext() or getContext() gave");
    }

    /**
     * The context that a path of this host leads to.
     *
     * @return null if it is another application's and this one may not see others, or there is none
     */
    @Nullable
    ServletContext atPath(String path) {
        if (!path.startsWith("/")) {
            return null;
        }
        Application there = server.application(path);
        ServletContext found = there instanceof WebApplication web ? web.contextIfStarted() : null;
        if (found == null) {
            return isOwn(path) ? servletContext : null;
        }
        return settings.crossContext() || found.equals(servletContext) ? found : null;
    }

    private boolean isOwn(String path) {
        return path.equals(contextPath()) || path.startsWith(contextPath() + "/");
    }

    public WebAppModel model() {
        return settings.model();
    }

    public Listeners listeners() {
        return listeners;
    }

    public Sessions sessions() {
        return sessions;
    }

    public CookieWriter cookieWriter() {
        return cookieWriter;
    }

    /** What the connector says that a request came by; else what the application says. */
    public ConnectorSettings connectorSettings(HttpExchange exchange) {
        ConnectorSettings given = exchange.attributes().get(ConnectorSettings.KEY);
        return given != null ? given : unlessGiven;
    }

    /** Does the request bring the id of a session of this application? May block. */
    public boolean knowsSessionOf(HttpExchange exchange) {
        return sessions.mayHaveAny() && new ServletHandler(this).knowsSessionOf(exchange);
    }

    public Path temporaryDirectory() {
        return settings.temporaryDirectory();
    }

    public Executor workers() {
        return server.workers();
    }

    public ClassLoader loader() {
        return settings.loader();
    }

    /** Who may log in and what they may do. */
    public AccessControl access() {
        AccessControl control = access;
        if (control == null) {
            throw new IllegalStateException("the web application has not been started");
        }
        return control;
    }

    /** Where paths lead; while the application starts, where they would lead if it were complete. */
    Routes routes() {
        Routes known = routes;
        return known != null ? known : new Routes(this);
    }

    AppSettings settings() {
        return settings;
    }

    Phase phase() {
        return phase;
    }

    Instances instances() {
        return instances;
    }

    ContextAttributes attributes() {
        return attributes;
    }

    Registrations registrations() {
        return registrations;
    }

    ErrorPages errorPages() {
        return errorPages;
    }

    ResourceTree resources() {
        return resources;
    }

    /** An instance of a class of the application, for {@code createListener} and {@code upgrade}, with what it asks for. */
    public <T> T make(Class<T> type) throws javax.servlet.ServletException {
        return instances.make(type);
    }

    /** The same for an object of one request: whoever asks for it calls {@link #release} in the end, or nobody does. */
    public <T> T makeForRequest(Class<T> type) throws javax.servlet.ServletException {
        return instances.makeForRequest(type);
    }

    /** Calls the pre-destroy methods of what {@link #makeForRequest} made. */
    public void release(Object component) {
        instances.release(component);
    }
}
