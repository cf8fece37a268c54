package io.millrace.servlet;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.files.CacheLimits;
import io.millrace.handler.AccessLogBuilder;
import io.millrace.handler.Responses;
import io.millrace.jmx.JmxDomain;
import io.millrace.rewrite.RewriteFiles;
import io.millrace.rewrite.RewriteRules;
import io.millrace.rules.Rules;
import io.millrace.servlet.app.AppSettings;
import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.context.AppContext;
import io.millrace.servlet.context.ComponentClasses;
import io.millrace.servlet.deploy.DeclaredContextPath;
import io.millrace.servlet.deploy.Deployment;
import io.millrace.servlet.deploy.DeploymentOptions;
import io.millrace.servlet.deploy.DeploymentReader;
import io.millrace.servlet.deploy.loader.WebAppClassLoader;
import io.millrace.servlet.dispatch.ServletHandler;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.Naming;
import io.millrace.servlet.naming.ResourceSource;
import io.millrace.servlet.security.AccessControl;
import io.millrace.servlet.security.LoginOptions;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.Sessions;
import io.millrace.servlet.settings.ContainerServlets;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.servlet.settings.DrainingRule;
import io.millrace.servlet.settings.SameSite;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.servlet.ServletContext;
import javax.servlet.http.Cookie;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A web application: a WAR, an exploded directory, or servlets added in code. Settings can be changed until it is started. Not
 * thread-safe, except where noted.
 */
// Longer than 500 lines, as each setting is documented at its method.
public final class WebApplication implements Application {

    /**
     * The context attribute with the JARs of WEB-INF/lib that have tag libraries, a {@code List<Path>}, so that JSP engines need
     * not open every JAR. Not set for an application in code.
     */
    public static final String TAGLIB_JARS = "io.millrace.servlet.taglibJars";

    /**
     * The default limits of the default servlet's file cache: those of other file handlers, revalidated after 5 s as in Tomcat,
     * or when the system reports a change.
     */
    public static final CacheLimits FILE_CACHE =
            CacheLimits.DEFAULTS.withFreshness(Duration.ofSeconds(5)).withWatching(true);

    private static final List<Setting<?>> SETTINGS = Stream.of(
                    ContextOptions.all(), LoginOptions.all(), ServletOptions.all())
            .<Setting<?>>flatMap(List::stream)
            .toList();

    /** Null for an application in code. */
    private final @Nullable Path war;
    /** The static files of an application in code; null if it has none. */
    private final @Nullable Path docBase;
    /** The model of an application in code. */
    private final WebAppModel model;
    /** Actions that run before the application's own initializers. */
    private final List<Consumer<ServletContext>> setup;

    /** The resources below java:comp/env; complete once the application is read. */
    private final Map<String, ResourceSource> resources = new HashMap<>();
    /** Changes to apply to the model after reading it. */
    private final List<Consumer<WebAppModel>> changes = new ArrayList<>();
    /** Makes what a resource-ref names that nothing binds. */
    private Function<NamingEntryModel, @Nullable ResourceSource> unbound = reference -> null;

    private DeploymentOptions options = DeploymentOptions.DEFAULT;
    private ContainerServlets container = ContainerServlets.NONE;
    /** The parent loader of a WAR, or the loader of an application in code; null for the default. */
    private @Nullable ClassLoader loader;

    private final List<AccessLogBuilder> accessLogs = new ArrayList<>();
    private final List<DrainingRule> draining = new ArrayList<>();
    private Consumer<ClassLoader> afterStop = stopped -> {};
    private @Nullable Runnable reloader;

    /** Handlers that wrap the application, outermost first. */
    private final List<BiFunction<HttpHandler, Path, HttpHandler>> wrappers = new ArrayList<>();
    /** Null if none was set and it was not read yet. */
    private @Nullable String contextPath;

    private @Nullable String logName;
    private @Nullable Path workDirectory;
    private Settings settings = Settings.DEFAULTS;
    private SessionSettings sessions = SessionSettings.DEFAULT;
    private IdentityStore identities = IdentityStore.NONE;
    private @Nullable SingleSignOn signOn;
    private CacheLimits fileCache = FILE_CACHE;
    private Function<Cookie, @Nullable SameSite> sameSite = cookie -> null;
    private String version = "";
    private volatile @Nullable Running running;

    private WebApplication(
            @Nullable Path war, @Nullable Path docBase, WebAppModel model, List<Consumer<ServletContext>> setup) {
        this.war = war;
        this.docBase = docBase;
        this.model = model;
        this.setup = setup;
    }

    /**
     * A started application.
     *
     * @param closers what its start has opened, the last first
     */
    private record Running(AppContext context, Deque<Runnable> closers) {}

    /**
     * A WAR file or an exploded WAR. Unless {@link #contextPath(String)} is called, its context path is the
     * {@code default-context-path} of its web.xml, or else the root.
     */
    public static WebApplication war(Path fileOrDirectory) {
        return new WebApplication(Objects.requireNonNull(fileOrDirectory), null, new WebAppModel(), new ArrayList<>());
    }

    /** An application built in code: no web.xml is read and nothing is scanned. */
    public static WebApplicationBuilder builder(String contextPath) {
        return new WebApplicationBuilder(contextPath);
    }

    static WebApplication inCode(
            String contextPath, @Nullable Path docBase, WebAppModel model, List<Consumer<ServletContext>> setup) {
        return new WebApplication(null, docBase, model, setup).contextPath(contextPath);
    }

    /**
     * Sets the context path: {@code ""} or {@code "/"} for the root, otherwise a path with a leading and without a trailing
     * slash.
     */
    public WebApplication contextPath(String path) {
        if (path.length() > 1 && path.endsWith("/") || !path.isEmpty() && !path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "context path \"" + path + "\" must be empty or begin with a slash and not end with one");
        }
        contextPath = path.equals("/") ? "" : path;
        return this;
    }

    /**
     * Sets one of the {@link ContextOptions}, {@link LoginOptions} or {@link ServletOptions}. A connector's own
     * {@link ServletOptions} take precedence for its requests.
     *
     * @throws IllegalArgumentException if the setting is none of these, or the value is outside its limits
     */
    public <T> WebApplication with(Setting<T> setting, T value) {
        settings = settings.with(SETTINGS, setting, value);
        return this;
    }

    /** Sets all values that are set in the given settings. */
    public WebApplication with(Settings values) {
        settings = settings.overriddenBy(values);
        return this;
    }

    /**
     * Sets the directory for the unpacked WAR and {@code javax.servlet.context.tempdir}, which is kept between starts. Default: a
     * temporary directory, which is deleted when the application stops.
     */
    public WebApplication workDirectory(Path directory) {
        workDirectory = directory;
        return this;
    }

    /**
     * Sets the parent class loader of a WAR, or the class loader of an application in code, which is not closed. Default: the
     * loader of this class, or the thread's context class loader.
     */
    public WebApplication classLoader(ClassLoader classLoader) {
        loader = classLoader;
        return this;
    }

    /**
     * Sets how a WAR is read: default descriptors, scanned libraries, further files. Default: {@link DeploymentOptions#DEFAULT}.
     */
    public WebApplication deployment(DeploymentOptions reading) {
        options = reading;
        return this;
    }

    /** Adds an action that runs before the application's own initializers, to set attributes and parameters or add servlets. */
    public WebApplication configure(Consumer<ServletContext> action) {
        setup.add(action);
        return this;
    }

    /** Changes the merged model of web.xml, fragments and annotations, before the application is created from it. */
    public WebApplication model(Consumer<WebAppModel> change) {
        changes.add(change);
        return this;
    }

    /**
     * Adds a resource below {@code java:comp/env}, created at its first lookup.
     *
     * @param name such as {@code jdbc/shop}; an absolute name begins with {@code java:}, such as
     *     {@code java:comp/UserTransaction}
     * @param overridable true if an env-entry of this name in web.xml overrides it
     */
    public WebApplication resource(String name, boolean overridable, ResourceSource made) {
        changes.add(deployed -> {
            boolean declared = deployed.namingEntries.stream()
                    .anyMatch(entry -> entry.name().equals(name) && entry.value() != null);
            if (!declared || !overridable) {
                resources.put(name, made);
                deployed.namingEntries.replaceAll(entry -> entry.name().equals(name) ? entry.withoutValue() : entry);
            }
        });
        return this;
    }

    /**
     * Sets what resource-refs refer to for which there is no {@linkplain #resource resource}. Default: nothing, so that looking them
     * up fails.
     *
     * @param made null for those that it has nothing for
     */
    public WebApplication unboundReferences(Function<NamingEntryModel, @Nullable ResourceSource> made) {
        unbound = made;
        return this;
    }

    /** Sets the servlets of the container that its descriptors may name. Default: none. */
    public WebApplication containerServlets(ContainerServlets servlets) {
        container = servlets;
        return this;
    }

    /** Sets the limits of the default servlet's file cache. Default: {@link #FILE_CACHE}. */
    public WebApplication fileCache(CacheLimits limits) {
        fileCache = Objects.requireNonNull(limits);
        return this;
    }

    /** Sets how its sessions are stored and tracked. */
    public WebApplication sessions(SessionSettings kept) {
        sessions = kept;
        return this;
    }

    /** Sets the users who may log in; none by default. */
    public WebApplication identities(IdentityStore store) {
        identities = store;
        return this;
    }

    /**
     * Sets the SameSite attribute of single cookies, the session cookie included.
     *
     * @param attribute null for cookies that get {@link ContextOptions#SAME_SITE_COOKIES}; called by the thread that adds the cookie
     */
    public WebApplication sameSite(Function<Cookie, @Nullable SameSite> attribute) {
        sameSite = attribute;
        return this;
    }

    /** Adds an access log of its requests. The log is opened when the application starts, and closed when it has stopped. */
    public WebApplication accessLog(AccessLogBuilder log) {
        accessLogs.add(log);
        return this;
    }

    /** Sets the name of the logger of {@code ServletContext.log}. Default: {@code io.millrace.application} and the context path. */
    public WebApplication logName(String name) {
        logName = name;
        return this;
    }

    /**
     * Applies rewrite rules to its requests. Their paths are relative to its context path, and their files are its own. A
     * rewritten host does not change the virtual host.
     */
    public WebApplication rewrite(RewriteRules rules) {
        wrappers.add((next, files) ->
                rules.below(contextPath()).withFiles(RewriteFiles.below(files)).before(next));
        return this;
    }

    /**
     * Wraps the application, including its files, in a handler. Handlers and {@linkplain #rewrite rules} run in the order in
     * which they are added: {@code before(filter::wrap)} for an {@link io.millrace.handler.AddressFilter},
     * {@code before(relay::wrap)} for a {@link io.millrace.forwarded.Relay}.
     *
     * @param wrapper returns a handler that passes requests to the given one
     */
    public WebApplication before(UnaryOperator<HttpHandler> wrapper) {
        wrappers.add((next, files) -> wrapper.apply(next));
        return this;
    }

    /**
     * Redirects clients whose session has ended while the load balancer drains this node. Runs after all other handlers; all
     * rules that are added apply. Default: no redirection.
     */
    public WebApplication draining(DrainingRule rule) {
        draining.add(rule);
        return this;
    }

    /**
     * Shares logins with the other applications of the same single sign-on, which must have the same
     * {@linkplain #identities users}. Default: logins are not shared.
     */
    public WebApplication singleSignOn(SingleSignOn shared) {
        signOn = shared;
        return this;
    }

    /**
     * Sets an action that is called with the class loader of a WAR once the application has stopped or failed to start, before
     * its JARs are closed: for caches that are keyed by class loader. It must not throw.
     */
    public WebApplication afterStop(Consumer<ClassLoader> action) {
        afterStop = action;
        return this;
    }

    /** Sets what reloads the application when its MBean is asked to. It may throw; the message is for the operator. */
    public WebApplication reloadedBy(Runnable action) {
        reloader = action;
        return this;
    }

    /**
     * Sets the version, for parallel deployment of several applications at this context path: new clients get the last version by
     * {@link String#compareTo}, and clients with a session in an earlier one stay there. Default: empty.
     */
    public WebApplication version(String name) {
        version = name;
        return this;
    }

    @Override
    public String version() {
        return version;
    }

    /** Whether the request has the id of one of its sessions. */
    @Override
    public boolean claims(HttpExchange exchange) {
        Running now = running;
        return now != null && now.context().knowsSessionOf(exchange);
    }

    /** Whether it is started and has no sessions, in memory or in its store. May block. Thread-safe. */
    public boolean isUnused() {
        Running now = running;
        return now != null && !now.context().hasSessions();
    }

    /** Its sessions in this server's memory; null unless it is started. Thread-safe. */
    public @Nullable Sessions sessionsIfStarted() {
        Running now = running;
        return now == null ? null : now.context().sessions();
    }

    /** What has been counted of each servlet, sorted by name; empty unless it is started. Thread-safe. */
    public List<ServletState> servletStates() {
        Running now = running;
        return now == null
                ? List.of()
                : now.context().servlets().stream().map(WebApplication::state).toList();
    }

    private static ServletState state(ServletHolder servlet) {
        ServletHolder.Figures figures = servlet.figures();
        return new ServletState(
                servlet.name(),
                figures.requests(),
                figures.errors(),
                Duration.ofNanos(figures.nanos()),
                Duration.ofNanos(figures.longestNanos()),
                Duration.ofNanos(figures.loadNanos()));
    }

    @Override
    public String contextPath() {
        String path = contextPath;
        if (path == null) {
            String declared = war == null ? null : DeclaredContextPath.of(war);
            path = declared == null ? "" : declared;
            contextPath = path;
        }
        return path;
    }

    @Override
    public String displayName() {
        ServletContext context = contextIfStarted();
        String name = context == null ? null : context.getServletContextName();
        return name == null ? "" : name;
    }

    /**
     * The context of the started application.
     *
     * @throws IllegalStateException if it is not started
     */
    public ServletContext servletContext() {
        ServletContext context = contextIfStarted();
        if (context == null) {
            throw new IllegalStateException("web application " + contextPath() + " is not started");
        }
        return context;
    }

    /** The context; null unless the application is started. Thread-safe. */
    public @Nullable ServletContext contextIfStarted() {
        Running now = running;
        return now == null ? null : now.context().servletContext();
    }

    /**
     * Starts the application.
     *
     * @throws io.millrace.servlet.model.DeploymentException if the WAR is invalid; the message is for the operator
     */
    @Override
    public HttpHandler start(ServerContext server) throws Exception {
        if (running != null) {
            throw new IllegalStateException("web application " + contextPath() + " is already started");
        }
        Deque<Runnable> closers = new ArrayDeque<>();
        try {
            return start(server, closers, System.currentTimeMillis());
        } catch (Exception | Error e) {
            closers.forEach(Runnable::run);
            throw e;
        }
    }

    private HttpHandler start(ServerContext server, Deque<Runnable> closers, long began) throws Exception {
        WorkDirectory work = WorkDirectory.of(workDirectory, contextPath());
        closers.push(work::close);
        ApplicationLogs logs = ApplicationLogs.open(accessLogs);
        closers.push(logs::close);
        Deployment read = war == null
                ? Deployment.inCode(model, loaderInCode(), docBase, work.path(), settings, options)
                : DeploymentReader.read(war, work.path(), parent(), settings, options);
        closers.push(() -> close(read));
        change(read.model());
        AppSettings frozen = settings(read);
        if (read.loader() instanceof WebAppClassLoader own) {
            own.application(frozen.displayPath() + (version().isEmpty() ? "" : "##" + version()));
        }
        String defect = AccessControl.defect(read.model(), settings);
        if (defect != null) {
            throw new DeploymentException(defect);
        }
        List<String> forbidden = ComponentClasses.forbidden(read.model(), read.loader(), container);
        if (!forbidden.isEmpty()) {
            throw new DeploymentException(forbidden.get(0));
        }
        Rules rules = ApplicationRules.of(read, identities.equals(IdentityStore.NONE) ? null : identities);
        Naming naming = Naming.open(read.loader(), read.model().namingEntries, resources);
        closers.push(naming::close);
        AppContext context = new AppContext(frozen, server, naming, path -> contextOf(server.application(path)));
        ServletContext servletContext = context.servletContext();
        servletContext.setAttribute(
                Components.ATTRIBUTE, new Components(context.injector(), context.upgrades(), server));
        if (read.isRead()) {
            servletContext.setAttribute(TAGLIB_JARS, read.taglibJars());
        }
        ServletHandler entrance = context.start(setup);
        closers.push(context::stop);
        HttpHandler handler =
                logs.wrap(wrapped(context.drained(draining, entrance), rules, read.docBase(), entrance::refuse));
        naming.pools().forEach(pool -> pool.addTo(server.metrics()));
        JmxDomain jmx = server.jmx();
        if (jmx != null) {
            ApplicationBeans beans = new ApplicationBeans(
                    server.host(),
                    contextPath(),
                    version,
                    war == null ? String.valueOf(docBase == null ? "" : docBase) : war.toString(),
                    context.sessions(),
                    context.servlets(),
                    naming.pools(),
                    began,
                    System.currentTimeMillis() - began,
                    jmx::nameOf,
                    reloader);
            closers.push(jmx.offer(beans::all)::close);
        }
        running = new Running(context, closers);
        return handler;
    }

    private static @Nullable ServletContext contextOf(@Nullable Application application) {
        return application instanceof WebApplication web ? web.contextIfStarted() : null;
    }

    private void change(WebAppModel read) {
        changes.forEach(change -> change.accept(read));
        read.namingEntries.stream()
                .filter(NamingEntryModel::isOpenReference)
                .filter(reference -> !resources.containsKey(reference.name()))
                .forEach(reference -> {
                    ResourceSource made = unbound.apply(reference);
                    if (made != null) {
                        resources.put(reference.name(), made);
                    }
                });
    }

    private ClassLoader parent() {
        return loader != null ? loader : WebApplication.class.getClassLoader();
    }

    private ClassLoader loaderInCode() {
        ClassLoader own = loader != null ? loader : Thread.currentThread().getContextClassLoader();
        return own != null ? own : parent();
    }

    private void close(Deployment read) {
        try {
            if (read.isRead()) {
                afterStop.accept(read.loader());
                read.close();
            }
        } catch (IOException e) {
            Logger.getLogger(WebApplication.class)
                    .debugf(e, "failed to close the JARs of the class loader of %s", read.docBase());
        }
    }

    /**
     * Wraps the application in the handlers that were added.
     *
     * @param rules its own, which follow those handlers; null if it has none
     * @param files the directory of its files
     * @param refusals answers what those handlers refuse
     */
    private HttpHandler wrapped(
            HttpHandler application, @Nullable Rules rules, Path files, Responses.Refusals refusals) {
        boolean absolute = !settings.get(ContextOptions.USE_RELATIVE_REDIRECTS);
        if (wrappers.isEmpty() && rules == null && !absolute) {
            return application;
        }
        HttpHandler handler = marking(Responses.REFUSALS, null, application);
        if (rules != null) {
            handler = rules.below(contextPath()).before(handler);
        }
        for (int i = wrappers.size() - 1; i >= 0; i--) {
            handler = wrappers.get(i).apply(handler, files);
        }
        handler = marking(Responses.REFUSALS, refusals, handler);
        return absolute ? marking(Responses.ABSOLUTE_LOCATIONS, true, handler) : handler;
    }

    private static <T> HttpHandler marking(AttributeKey<T> key, @Nullable T value, HttpHandler next) {
        NonBlockingHandler marking = exchange -> {
            exchange.attributes().put(key, value);
            exchange.dispatch(next);
        };
        return marking;
    }

    private AppSettings settings(Deployment read) {
        String path = contextPath();
        return new AppSettings(
                path,
                logName == null ? "io.millrace.application" + path.replace('/', '.') : logName,
                read,
                fileCache,
                settings,
                sessions,
                identities,
                signOn,
                container,
                sameSite);
    }

    /**
     * Inspects a WAR for what prevents its start and for its WebSocket endpoints, by its descriptors, annotations and class
     * names: none of its code runs.
     *
     * @return an empty result for an application in code
     * @throws IOException if a file can't be read, or a temporary copy can't be written
     */
    public WarInspection inspect() throws IOException {
        return inspect(Set.of());
    }

    /**
     * Reads a WAR as {@link #inspect()} does.
     *
     * @param classes names of classes that its configuration needs, such as drivers
     */
    public WarInspection inspect(Set<String> classes) throws IOException {
        if (war == null) {
            return WarInspection.NOTHING;
        }
        WorkDirectory work = WorkDirectory.of(null, contextPath());
        try (Deployment read = DeploymentReader.inspect(war, work.path(), parent(), settings, options)) {
            changes.forEach(change -> change.accept(read.model()));
            return WarInspection.of(read, contextPath(), settings, container, classes);
        } catch (DeploymentException e) {
            return WarInspection.refused(List.of(e.getMessage()));
        } finally {
            work.close();
        }
    }

    @Override
    public void stop() {
        Running was = running;
        if (was != null) {
            running = null;
            was.closers().forEach(Runnable::run);
        }
    }
}
