package io.millrace.servlet;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.files.CacheLimits;
import io.millrace.handler.AccessLogBuilder;
import io.millrace.rewrite.RewriteFiles;
import io.millrace.rewrite.RewriteRules;
import io.millrace.servlet.app.AppSettings;
import io.millrace.servlet.deploy.Deployment;
import io.millrace.servlet.deploy.DeploymentOptions;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.ResourceSource;
import io.millrace.servlet.security.LoginOptions;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.servlet.settings.DrainingRule;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * A web application: a WAR, an exploded directory, or servlets added in code. Settings may be changed until it is started;
 * one thread at a time.
 */
public final class WebApplication implements Application {

    /**
     * The context attribute with the jars of WEB-INF/lib that have tag libraries, a {@code List<Path>}: for JSP engines, so
     * that these need not open every jar. Not set for an application in code.
     */
    public static final String TAGLIB_JARS = "io.millrace.servlet.taglibJars";

    /**
     * What the default servlet keeps unless {@link #fileCache} says otherwise: as much as any file handler, looked at again
     * after five seconds as in Tomcat, or when the system tells that something has changed.
     */
    public static final CacheLimits FILE_CACHE =
            CacheLimits.DEFAULTS.withFreshness(Duration.ofSeconds(5)).withWatching(true);

    private static final List<Setting<?>> SETTINGS = Stream.of(
                    ContextOptions.all(), LoginOptions.all(), ServletOptions.all())
            .<Setting<?>>flatMap(List::stream)
            .toList();

    final ApplicationSource source;
    /** What runs before the application's own initializers. */
    final List<Consumer<ServletContext>> setup;

    final List<AccessLogBuilder> accessLogs = new ArrayList<>();
    final List<DrainingRule> draining = new ArrayList<>();
    Consumer<ClassLoader> afterStop = loader -> {};

    /** What requests meet before the application, in that order. */
    private final List<BiFunction<HttpHandler, Path, HttpHandler>> wrappers = new ArrayList<>();
    /** Null until somebody asks, if nobody has named one. */
    private @Nullable String contextPath;

    private @Nullable String logName;
    private @Nullable Path workDirectory;
    private Settings settings = Settings.DEFAULTS;
    private SessionSettings sessions = SessionSettings.DEFAULT;
    private IdentityStore identities = IdentityStore.NONE;
    private @Nullable SingleSignOn signOn;
    private CacheLimits fileCache = FILE_CACHE;
    private String version = "";
    private volatile @Nullable RunningApplication running;

    private WebApplication(ApplicationSource source, List<Consumer<ServletContext>> setup) {
        this.source = source;
        this.setup = setup;
    }

    /**
     * A WAR file, or a directory laid out as one. Unless {@link #contextPath(String)} says where, it is served at the
     * {@code default-context-path} of its web.xml, or else as the root.
     */
    public static WebApplication war(Path fileOrDirectory) {
        return new WebApplication(
                new ApplicationSource(Objects.requireNonNull(fileOrDirectory), null, new WebAppModel()),
                new ArrayList<>());
    }

    /** An application put together in code: no web.xml is read and nothing is scanned. */
    public static WebApplicationBuilder builder(String contextPath) {
        return new WebApplicationBuilder(contextPath);
    }

    static WebApplication inCode(
            String contextPath, @Nullable Path docBase, WebAppModel model, List<Consumer<ServletContext>> setup) {
        return new WebApplication(new ApplicationSource(null, docBase, model), setup).contextPath(contextPath);
    }

    /** {@code ""} or {@code "/"} for the root, otherwise a path with a leading and without a trailing slash. */
    public WebApplication contextPath(String path) {
        if (path.length() > 1 && path.endsWith("/") || !path.isEmpty() && !path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "context path \"" + path + "\" must be empty or begin with a slash and not end with one");
        }
        contextPath = path.equals("/") ? "" : path;
        return this;
    }

    /**
     * Sets one of the {@link ContextOptions}, the {@link LoginOptions} or the {@link ServletOptions}. Of the latter, what a
     * connector sets itself takes precedence for the requests that come by it.
     *
     * @throws IllegalArgumentException if the setting is none of these, or the value is outside its limits
     */
    public <T> WebApplication with(Setting<T> setting, T value) {
        settings = settings.with(SETTINGS, setting, value);
        return this;
    }

    /** Sets what is set in the given settings, and leaves the rest as it is. */
    public WebApplication with(Settings values) {
        settings = settings.overriddenBy(values);
        return this;
    }

    /**
     * Where the WAR is unpacked and {@code javax.servlet.context.tempdir} lies, kept from one start to the next. Without
     * one a temporary directory is made, and deleted when the application stops.
     */
    public WebApplication workDirectory(Path directory) {
        workDirectory = directory;
        return this;
    }

    /**
     * For a WAR, the loader whose classes it sees besides its own; for an application in code, the loader of its own
     * classes, which stays open. The loader of this class, or the thread's context class loader, otherwise.
     */
    public WebApplication classLoader(ClassLoader classLoader) {
        source.loader = classLoader;
        return this;
    }

    /** How a WAR is read: its defaults, its libraries, files from elsewhere. {@link DeploymentOptions#DEFAULT} otherwise. */
    public WebApplication deployment(DeploymentOptions options) {
        source.options = options;
        return this;
    }

    /** Runs before the application's own initializers: attributes, parameters, further servlets. */
    public WebApplication configure(Consumer<ServletContext> action) {
        setup.add(action);
        return this;
    }

    /** Changes what web.xml, fragments and annotations say, all together, before the application is made of it. */
    public WebApplication model(Consumer<WebAppModel> change) {
        source.changes.add(change);
        return this;
    }

    /**
     * What the application finds below {@code java:comp/env}, made when it is first looked up.
     *
     * @param name such as {@code jdbc/shop}; with {@code java:} in front it is a whole name, {@code java:comp/UserTransaction}
     * @param overridable an env-entry of this name in web.xml stands above it
     */
    public WebApplication resource(String name, boolean overridable, ResourceSource made) {
        source.add(name, overridable, made);
        return this;
    }

    /** What the default servlet keeps of the application's files: {@link #FILE_CACHE} otherwise. */
    public WebApplication fileCache(CacheLimits limits) {
        fileCache = Objects.requireNonNull(limits);
        return this;
    }

    /** How its sessions are kept and carried, where its web.xml does not say it. */
    public WebApplication sessions(SessionSettings kept) {
        sessions = kept;
        return this;
    }

    /** The users who may log in; none by default. */
    public WebApplication identities(IdentityStore store) {
        identities = store;
        return this;
    }

    /** Logs the requests to it. The log is opened when it starts, and closed when it has stopped; there may be several. */
    public WebApplication accessLog(AccessLogBuilder log) {
        accessLogs.add(log);
        return this;
    }

    /**
     * The name of the logger that {@code ServletContext.log} writes to; {@code io.millrace.application} and the context path
     * otherwise.
     */
    public WebApplication logName(String name) {
        logName = name;
        return this;
    }

    /**
     * Applies rules to requests to it, before it sees them: their paths are those below its context path, and their files its
     * own. What a rule makes of a host has no influence on which site answers.
     */
    public WebApplication rewrite(RewriteRules rules) {
        wrappers.add((next, files) ->
                rules.below(contextPath()).withFiles(RewriteFiles.below(files)).before(next));
        return this;
    }

    /**
     * Puts a handler before all of it, files included, in the order in which handlers and {@linkplain #rewrite rules} are
     * added: {@code before(filter::wrap)} for an {@link io.millrace.handler.AddressFilter}, {@code before(relay::wrap)} for a
     * {@link io.millrace.forwarded.Relay}.
     *
     * @param wrapper makes a handler that passes requests on to the one it is given
     */
    public WebApplication before(UnaryOperator<HttpHandler> wrapper) {
        wrappers.add((next, files) -> wrapper.apply(next));
        return this;
    }

    /**
     * Redirects clients whose session has ended where the load balancer says that this node is being drained. The last thing
     * before the application; all of several rules count. Nobody is redirected otherwise.
     */
    public WebApplication draining(DrainingRule rule) {
        draining.add(rule);
        return this;
    }

    /**
     * Shares logins with the other applications that have the same one, and the same {@linkplain #identities users}. Nobody's
     * otherwise.
     */
    public WebApplication singleSignOn(SingleSignOn shared) {
        signOn = shared;
        return this;
    }

    /**
     * What is called with the class loader of a WAR or directory once the application has stopped, or failed to start, and
     * before its jars are closed: for caches that are keyed by class loader. It must not throw. None by default.
     */
    public WebApplication afterStop(Consumer<ClassLoader> action) {
        afterStop = action;
        return this;
    }

    /**
     * Which of several applications at this context path it is: new visitors get the last one by {@link String#compareTo},
     * and clients with a session in an earlier one stay there. Empty otherwise.
     */
    public WebApplication version(String name) {
        version = name;
        return this;
    }

    @Override
    public String version() {
        return version;
    }

    /** True if the request brings the id of a session that it has. */
    @Override
    public boolean claims(HttpExchange exchange) {
        RunningApplication now = running;
        return now != null && now.context().knowsSessionOf(exchange);
    }

    /** Is it started and without a session, in memory or in its store, so that nobody would miss it? May block. Any thread. */
    public boolean isUnused() {
        RunningApplication now = running;
        return now != null && !now.context().hasSessions();
    }

    @Override
    public String contextPath() {
        String path = contextPath == null ? source.declaredPath() : contextPath;
        contextPath = path;
        return path;
    }

    @Override
    public String displayName() {
        ServletContext context = contextIfStarted();
        String name = context == null ? null : context.getServletContextName();
        return name == null ? "" : name;
    }

    /**
     * The started application's context, for embedders.
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

    /** Null unless it is started; {@link #servletContext} for those who know that it is. Any thread. */
    public @Nullable ServletContext contextIfStarted() {
        RunningApplication now = running;
        return now == null ? null : now.context().servletContext();
    }

    /**
     * Deploys it.
     *
     * @throws io.millrace.servlet.model.DeploymentException if the WAR is at fault; the message is for the operator
     */
    @Override
    public HttpHandler start(ServerContext server) throws Exception {
        if (running != null) {
            throw new IllegalStateException("web application " + contextPath() + " is started already");
        }
        RunningApplication started = RunningApplication.start(this, server);
        running = started;
        return started.handler();
    }

    // ---- for RunningApplication

    WorkDirectory workDirectory() throws IOException {
        return WorkDirectory.of(workDirectory, contextPath());
    }

    /** Null for an application in code. The caller closes it. */
    @Nullable
    Deployment open(WorkDirectory work) throws IOException, DeploymentException {
        return source.open(work, settings);
    }

    /**
     * Puts before it what was added for that.
     *
     * @param files where its own are
     */
    HttpHandler wrapped(HttpHandler application, Path files) {
        HttpHandler handler = application;
        for (int i = wrappers.size() - 1; i >= 0; i--) {
            handler = wrappers.get(i).apply(handler, files);
        }
        return handler;
    }

    AppSettings settings(@Nullable Deployment deployment, WorkDirectory work) throws IOException {
        ApplicationSource.Contents contents = source.contents(deployment, work);
        String path = contextPath();
        return new AppSettings(
                path,
                logName == null ? "io.millrace.application" + path.replace('/', '.') : logName,
                contents.model(),
                contents.loader(),
                contents.docBase(),
                contents.resourceRoots(),
                contents.extra(),
                fileCache,
                contents.temporaryDirectory(),
                settings,
                sessions,
                identities,
                signOn);
    }

    /**
     * What would keep a WAR from starting, and where its WebSocket endpoints would be, as far as its descriptors, its annotations
     * and the names of its classes tell: none of its code runs.
     *
     * @return nothing for an application in code
     * @throws IOException a file can't be read, or there is no place for a temporary copy
     */
    public WarInspection inspect() throws IOException {
        return source.inspect(contextPath(), settings);
    }

    @Override
    public void stop() {
        RunningApplication was = running;
        if (was != null) {
            running = null;
            was.stop();
        }
    }
}
