package io.millrace.servlet.context;

import io.millrace.ServerContext;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestPath;
import io.millrace.metrics.MetricGroup;
import io.millrace.servlet.app.AppSettings;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.FilterHolder;
import io.millrace.servlet.app.RequestListeners;
import io.millrace.servlet.app.Routes;
import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.dispatch.Draining;
import io.millrace.servlet.dispatch.ServletHandler;
import io.millrace.servlet.files.StaticServlet;
import io.millrace.servlet.inject.Injector;
import io.millrace.servlet.inject.Instances;
import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.Initializer;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.Naming;
import io.millrace.servlet.resource.ResourceTree;
import io.millrace.servlet.security.AccessControl;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.session.Sessions;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.servlet.settings.DrainingRule;
import io.millrace.servlet.upgrade.UpgradePoint;
import io.millrace.servlet.webdav.ApplicationLocks;
import io.millrace.servlet.webdav.WebdavServlet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EventListener;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.servlet.Servlet;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/**
 * A web application that runs: its context and components; its requests use the {@link AppView}. Starts and stops them in the order
 * of Servlet 3.1, 10.12: instantiates listeners, calls initializers, notifies listeners, initializes filters, loads servlets; stops
 * in reverse. Written by the thread that starts the application, then read by any.
 */
public final class AppContext {

    /** Named in web.xml to list directories, or to serve files at a path of its own. */
    private static final String DEFAULT_SERVLET = "org.apache.catalina.servlets.DefaultServlet";

    /** Named in web.xml to let clients modify files. */
    private static final String WEBDAV_SERVLET = "org.apache.catalina.servlets.WebdavServlet";

    private final AppSettings settings;
    private final Function<String, @Nullable ServletContext> neighbours;
    private final Phase phase = new Phase();
    private final ApplicationListeners listeners;
    private final ResourceTree resources;
    private final Instances instances;
    private final ServletContextImpl servletContext;
    private final Registrations registrations;
    private final UpgradePoint upgrades = new UpgradePoint();
    private final AppView view;
    private final ApplicationLocks locks;
    private final MetricGroup metrics;
    private final List<ApplicationListeners.Registered> notified = new ArrayList<>();

    /**
     * A context that has not started.
     *
     * @param neighbours returns the context that a path of the host maps to; null if there is none
     * @throws IOException if resource roots outside the application can't be opened
     */
    public AppContext(
            AppSettings settings,
            ServerContext server,
            Naming naming,
            Function<String, @Nullable ServletContext> neighbours)
            throws IOException {
        this.settings = settings;
        this.neighbours = neighbours;
        this.metrics = server.metrics();
        this.resources = ResourceTree.of(
                settings.deployment().docBase(),
                settings.deployment().resourceJars(),
                settings.get(ContextOptions.ALLOW_LINKING),
                settings.deployment().extra());
        this.locks = new ApplicationLocks(resources);
        this.instances = new Instances(
                settings.loader(), new Injector(settings.model(), naming, settings.loader()), this::standIn);
        this.listeners = new ApplicationListeners(phase, instances);
        this.servletContext = new ServletContextImpl(this);
        this.registrations = new Registrations(settings.model(), instances, servletContext, phase);
        CookieWriter cookies = new CookieWriter(settings.get(ContextOptions.SAME_SITE_COOKIES), settings.sameSite());
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

    /**
     * Starts the application.
     *
     * @param setup runs before the application's own initializers
     * @return the handler of its requests
     * @throws ServletException if a listener, an initializer or a filter failed; what was started is stopped again. The failure
     *     of a servlet is only logged
     * @throws DeploymentException if the class of one of them is missing
     */
    public ServletHandler start(List<Consumer<ServletContext>> setup) throws ServletException, DeploymentException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(settings.loader());
        try {
            prepare(setup);
            notifyListeners();
            freeze();
            for (FilterHolder filter : registrations.filters().values()) {
                initialize(filter);
            }
            loadServlets();
            return new ServletHandler(view);
        } catch (ServletException | DeploymentException | RuntimeException | Error e) {
            stop();
            throw e;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private void prepare(List<Consumer<ServletContext>> setup) throws ServletException, DeploymentException {
        servletContext.setAttribute(
                ServletContext.TEMPDIR,
                settings.deployment().temporaryDirectory().toFile());
        if (settings.model().orderedLibs != null) {
            servletContext.setAttribute(ServletContext.ORDERED_LIBS, settings.model().orderedLibs);
        }
        registrations.provide("default", DEFAULT_SERVLET, this::defaultServlet);
        registrations.addOverridable("default", defaultServlet(), "/");
        if (ComponentClasses.isMissing(WEBDAV_SERVLET, instances.loader())) {
            Supplier<Servlet> maker = WebdavServlet.maker(resources, settings.fileCache(), locks, metrics);
            registrations.provide("", WEBDAV_SERVLET, maker);
        }
        for (String name : settings.model().listeners) {
            addListener(name);
        }
        for (Consumer<ServletContext> action : setup) {
            action.accept(servletContext);
        }
        phase.initialize();
        for (Initializer initializer : settings.deployment().initializers()) {
            initializer.instance().onStartup(initializer.types(), servletContext);
        }
        boolean missing = registrations.addOverridable("jsp", new JspPages.MissingEngine(), JspPages.PATTERNS);
        // sources of pages are not sent, unless the application maps them to the default servlet itself, as in Tomcat
        registrations.mapUnowned("jsp", JspPages.PATTERNS);
        if (missing && registrations.ownerOf("*.jsp") == null) {
            String page = JspPages.MissingEngine.anyPage(settings.model(), resources);
            if (page != null) {
                ServletLog.CONTEXT.noJspEngine(settings.displayPath(), page);
            }
        }
        ComponentClasses.absentServlets(settings.model(), instances.loader(), settings.container())
                .forEach(sentence -> ServletLog.CONTEXT.servletAbsent(settings.displayPath(), sentence));
    }

    /** Instantiates even a class that is not a listener, as Tomcat does: its constructor may have effects. */
    private void addListener(String className) throws ServletException, DeploymentException {
        Object made;
        try {
            made = instances.make(className, Object.class);
        } catch (ServletException e) {
            if (isMissing(className, e)) {
                throw new DeploymentException(ComponentClasses.ofListener(className));
            }
            throw e;
        }
        if (made instanceof EventListener listener && ApplicationListeners.isKnown(listener)) {
            servletContext.addListener(listener);
        } else {
            ServletLog.CONTEXT.notAListener(className, settings.displayPath());
        }
    }

    /** Whether the class itself is missing, not one that it needs. */
    private static boolean isMissing(@Nullable String className, ServletException e) {
        return e.getCause() instanceof ClassNotFoundException missing
                && className != null
                && String.valueOf(missing.getMessage()).contains(className);
    }

    private StaticServlet defaultServlet() {
        return new StaticServlet(resources, settings.fileCache(), locks, metrics);
    }

    private void notifyListeners() {
        phase.beginNotifying();
        for (ApplicationListeners.Registered listener : listeners.context()) {
            notified.add(listener);
            listener.listener().contextInitialized(event(listener));
        }
    }

    private ServletContextEvent event(ApplicationListeners.Registered listener) {
        return new ServletContextEvent(listener.declared() ? servletContext : RestrictedContext.of(servletContext));
    }

    /** The class of an unmapped filter may be missing: some applications declare Tomcat's filters without using them. */
    private void initialize(FilterHolder filter) throws ServletException, DeploymentException {
        try {
            filter.init();
        } catch (ServletException e) {
            String sentence = sentence(filter, e);
            boolean mapped = registrations.filterMappings().stream()
                    .anyMatch(mapping -> mapping.filterName().equals(filter.getFilterName()));
            if (sentence == null) {
                throw e;
            }
            if (mapped) {
                throw new DeploymentException(sentence);
            }
            ServletLog.CONTEXT.filterSkipped(
                    filter.getFilterName(), settings.displayPath(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * The cause if it needs no stack trace: a missing class, or init-params that one of Millrace's filters rejects; otherwise
     * null.
     */
    private @Nullable String sentence(FilterHolder filter, ServletException e) {
        String className = filter.model().className;
        if (isMissing(className, e)) {
            return ComponentClasses.ofFilter(filter.getFilterName(), className);
        }
        return ComponentClasses.isReplaced(className, instances.loader())
                ? TomcatClasses.ofFilter(filter.getFilterName(), String.valueOf(e.getMessage()))
                : null;
    }

    private void loadServlets() {
        List<ServletHolder> eager = registrations.servlets().stream()
                .filter(servlet -> servlet.model().loadOnStartup >= 0)
                .sorted(Comparator.comparingInt(servlet -> servlet.model().loadOnStartup))
                .toList();
        for (ServletHolder servlet : eager) {
            try {
                servlet.load();
            } catch (ServletException | RuntimeException | Error e) {
                ServletLog.CONTEXT.servletNotLoaded(servlet.name(), settings.displayPath(), e);
            }
        }
    }

    /** Stops the application, after its last request has ended. */
    public void stop() {
        view.run(this::stopInContext);
    }

    private void stopInContext() {
        quietly("its upgraded connections", upgrades::stop);
        for (ServletHolder servlet : registrations.servlets()) {
            quietly("servlet " + servlet.name(), servlet::destroy);
        }
        for (FilterHolder filter : registrations.filters().values()) {
            quietly("filter " + filter.getFilterName(), filter::destroy);
        }
        quietly("the session manager", sessions()::stop);
        for (int i = notified.size() - 1; i >= 0; i--) {
            ApplicationListeners.Registered listener = notified.get(i);
            quietly(
                    listener.listener().getClass().getName(),
                    () -> listener.listener().contextDestroyed(event(listener)));
        }
        notified.clear();
        instances.releaseAll();
        quietly("its resources", resources::close);
    }

    /** Logs a failure, so that the rest is stopped as well. */
    private void quietly(String part, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            ServletLog.CONTEXT.stopFailed(part, settings.displayPath(), e);
        }
    }

    /** Ends the configuration of the application, and creates what depends on it. */
    private void freeze() {
        phase.freeze();
        new JspPages(registrations, settings.model()).settle();
        registrations.settleSecurity();
        view.complete(new AccessControl(
                settings.model(),
                settings.displayPath(),
                settings.identityStore(),
                settings.settings(),
                signOn(),
                metrics,
                sessions().values()));
        listeners.sessions().forEach(sessions()::addListener);
        sessions().start();
    }

    private @Nullable SingleSignOn signOn() {
        SingleSignOn shared = settings.signOn();
        if (shared != null) {
            sessions().groups(shared.groups());
        }
        if (shared != null && shared.groups() == null && !sessions().canBeGrouped()) {
            ServletLog.CONTEXT.noSingleSignOn(settings.displayPath());
            return null;
        }
        return shared;
    }

    public ServletContext servletContext() {
        return servletContext;
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

    /** Whether the request has the id of a session of this application. May block. */
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

    /** Whether there is a session, in memory or in the store. May block. */
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

    ApplicationListeners listeners() {
        return listeners;
    }

    public Sessions sessions() {
        return view.sessions();
    }

    /** The servlets, sorted by name. */
    public List<ServletHolder> servlets() {
        return registrations.servlets().stream()
                .sorted(Comparator.comparing(ServletHolder::name))
                .toList();
    }

    Phase phase() {
        return phase;
    }

    Instances instances() {
        return instances;
    }

    Registrations registrations() {
        return registrations;
    }

    ResourceTree resources() {
        return resources;
    }
}
