package io.millrace.servlet.context;

import io.millrace.ServerContext;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestPath;
import io.millrace.servlet.app.AppSettings;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.RequestListeners;
import io.millrace.servlet.app.Routes;
import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.dispatch.Draining;
import io.millrace.servlet.dispatch.ServletHandler;
import io.millrace.servlet.inject.Injector;
import io.millrace.servlet.inject.Instances;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.Naming;
import io.millrace.servlet.resource.ResourceTree;
import io.millrace.servlet.security.AccessControl;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.session.Sessions;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.servlet.settings.DrainingRule;
import io.millrace.servlet.upgrade.UpgradePoint;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one web application that register and start its components; its requests use the {@link AppView}. Written by the
 * thread that starts the application, then read by any.
 */
public final class WebAppContext {

    private final AppSettings settings;
    private final Function<String, @Nullable ServletContext> neighbours;
    private final Phase phase = new Phase();
    private final Listeners listeners;
    private final ResourceTree resources;
    private final Instances instances;
    private final ServletContextImpl servletContext;
    private final ContextAttributes attributes;
    private final Registrations registrations;
    private final UpgradePoint upgrades = new UpgradePoint();
    private final AppView view;

    /**
     * A context that has not started.
     *
     * @param neighbours returns the context that a path of the host maps to; null if there is none
     * @throws IOException if resource roots outside the application can't be opened
     */
    public WebAppContext(
            AppSettings settings,
            ServerContext server,
            Naming naming,
            Function<String, @Nullable ServletContext> neighbours)
            throws IOException {
        this.settings = settings;
        this.neighbours = neighbours;
        this.resources = ResourceTree.of(
                settings.docBase(),
                settings.resourceRoots(),
                settings.get(ContextOptions.ALLOW_LINKING),
                settings.extra());
        this.instances = new Instances(
                settings.loader(), new Injector(settings.model(), naming, settings.loader()), this::standIn);
        this.listeners = new Listeners(phase, instances);
        this.servletContext = new ServletContextImpl(this);
        this.attributes = new ContextAttributes(servletContext, settings.displayPath(), listeners.contextAttributes());
        this.registrations = new Registrations(settings.model(), instances, servletContext, phase);
        CookieWriter cookies = new CookieWriter(settings.get(ContextOptions.SAME_SITE_COOKIES));
        this.view = new AppView(
                settings,
                servletContext,
                sessions(cookies, server),
                cookies,
                instances,
                new RequestListeners(listeners.requests(), listeners.requestAttributes()),
                upgrades,
                () -> new Routes(
                        settings.model(), registrations.servlets(), registrations.filters(), upgrades, resources));
    }

    private @Nullable Class<?> standIn(String className) {
        Class<?> own = settings.container().classes().get(className);
        return own == null ? TomcatClasses.standIn(className) : own;
    }

    private Sessions sessions(CookieWriter cookies, ServerContext server) {
        return new Sessions(
                servletContext,
                settings.model().session,
                settings.sessions(),
                cookies,
                settings.get(ContextOptions.JVM_ROUTE),
                settings.model().distributable,
                server);
    }

    /** Ends the configuration of the application, and creates what depends on it. */
    void freeze() {
        phase.freeze();
        new JspPages(registrations, settings.model()).settle();
        registrations.settleSecurity();
        view.complete(new AccessControl(
                settings.model(), settings.displayPath(), settings.identityStore(), settings.settings(), signOn()));
        listeners.sessions().forEach(sessions()::addListener);
        sessions().start();
    }

    private @Nullable SingleSignOn signOn() {
        SingleSignOn shared = settings.signOn();
        if (shared != null && !sessions().canBeGrouped()) {
            ContextMessages.LOG.noSingleSignOn(settings.displayPath());
            return null;
        }
        return shared;
    }

    public ServletContext servletContext() {
        return servletContext;
    }

    /** The context for listeners that are not declared. */
    ServletContext restrictedContext() {
        return RestrictedContext.of(servletContext);
    }

    /**
     * The context that a path of this host maps to.
     *
     * @return null if there is none, or it is another application's and crossContext is not set
     */
    @Nullable
    ServletContext atPath(String path) {
        if (!path.startsWith("/")) {
            return null;
        }
        // escaped, as getContextPath returns it
        RequestPath read = path.indexOf('%') < 0 ? null : RequestPath.parse(path, EncodedSlash.REJECT);
        ServletContext found = at(read == null ? path : read.decoded());
        if (found == null) {
            return null;
        }
        return settings.get(ContextOptions.CROSS_CONTEXT) || found.equals(servletContext) ? found : null;
    }

    private @Nullable ServletContext at(String decoded) {
        ServletContext found = neighbours.apply(decoded);
        return found == null && isOwn(decoded) ? servletContext : found;
    }

    private boolean isOwn(String path) {
        return path.equals(settings.contextPath()) || path.startsWith(settings.contextPath() + "/");
    }

    /** True if the request has the id of a session of this application. May block. */
    public boolean knowsSessionOf(HttpExchange exchange) {
        return sessions().mayHaveAny() && new ServletHandler(view).knowsSessionOf(exchange);
    }

    /** Wraps the application's handler with the redirection of clients without a session. */
    public HttpHandler drained(List<DrainingRule> rules, HttpHandler application) {
        HttpHandler handler = application;
        for (int i = rules.size() - 1; i >= 0; i--) {
            handler = new Draining(view, rules.get(i), handler);
        }
        return handler;
    }

    /** True if there is a session, in memory or in the store. May block. */
    public boolean hasSessions() {
        return sessions().hasAny();
    }

    /** Creates and injects the application's objects. */
    public Injector injector() {
        return instances.injector();
    }

    /** Where handlers of upgrade requests register. */
    public UpgradePoint upgrades() {
        return upgrades;
    }

    /** The application as its requests see it. */
    AppView view() {
        return view;
    }

    WebAppModel model() {
        return settings.model();
    }

    AppSettings settings() {
        return settings;
    }

    Listeners listeners() {
        return listeners;
    }

    public Sessions sessions() {
        return view.sessions();
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

    ResourceTree resources() {
        return resources;
    }
}
