package io.millrace.servlet;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.files.CacheLimits;
import io.millrace.files.SymbolicLinks;
import io.millrace.forwarded.Relay;
import io.millrace.handler.AccessLogBuilder;
import io.millrace.handler.AddressFilter;
import io.millrace.rewrite.RewriteFiles;
import io.millrace.rewrite.RewriteRules;
import io.millrace.servlet.app.AppSettings;
import io.millrace.servlet.context.ComponentClasses;
import io.millrace.servlet.cookie.SameSite;
import io.millrace.servlet.deploy.DeclaredContextPath;
import io.millrace.servlet.deploy.DefaultDescriptors;
import io.millrace.servlet.deploy.Deployment;
import io.millrace.servlet.deploy.DeploymentOptions;
import io.millrace.servlet.deploy.DeploymentReader;
import io.millrace.servlet.deploy.JarFilter;
import io.millrace.servlet.deploy.scan.DeclaredEndpoints;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.naming.ResourceSource;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.security.AccessControl;
import io.millrace.servlet.security.LoginOptions;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.settings.DrainingRule;
import io.millrace.servlet.settings.FormLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
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
     * What the default servlet keeps unless {@link #files} says otherwise: as much as any file handler, looked at again
     * after five seconds as in Tomcat, or when the system tells that something has changed.
     */
    public static final CacheLimits FILE_CACHE =
            CacheLimits.DEFAULTS.withFreshness(Duration.ofSeconds(5)).withWatching(true);

    /** Null until somebody asks, if nobody has named one. */
    private @Nullable String contextPath;

    private final @Nullable Path war;
    private final @Nullable Path docBase;
    private final WebAppModel model;
    private final List<Consumer<ServletContext>> setup;
    private final List<Consumer<WebAppModel>> changes = new ArrayList<>();
    private final Map<String, ResourceSource> resources = new HashMap<>();
    /** What requests meet before the application, in that order. */
    private final List<BiFunction<HttpHandler, Path, HttpHandler>> wrappers = new ArrayList<>();

    private ExtraResources extra = ExtraResources.NONE;
    private @Nullable String logName;
    private final List<AccessLogBuilder> accessLogs = new ArrayList<>();

    private @Nullable Path workDirectory;
    private @Nullable ClassLoader loader;
    private DeploymentOptions options = DeploymentOptions.DEFAULT;
    private SameSite sameSite = SameSite.UNSET;
    private SessionSettings sessions = SessionSettings.DEFAULT;
    private FormLimits formLimits = FormLimits.DEFAULT;
    private IdentityStore identities = IdentityStore.NONE;
    private LoginOptions loginOptions = LoginOptions.DEFAULTS;
    private @Nullable String jvmRoute;
    private int redirectPort;
    private boolean crossContext;
    private final List<DrainingRule> draining = new ArrayList<>();
    private @Nullable SingleSignOn signOn;
    private Consumer<ClassLoader> afterStop = loader -> {};
    private CacheLimits fileCache = FILE_CACHE;
    private SymbolicLinks links = SymbolicLinks.INSIDE;
    private String version = "";
    private volatile @Nullable RunningApplication running;

    private WebApplication(
            @Nullable String contextPath,
            @Nullable Path war,
            @Nullable Path docBase,
            WebAppModel model,
            List<Consumer<ServletContext>> setup) {
        this.contextPath = contextPath == null ? null : checked(contextPath);
        this.war = war;
        this.docBase = docBase;
        this.model = model;
        this.setup = setup;
    }

    /**
     * A WAR file, or a directory laid out as one. Unless {@link #contextPath(String)} says where, it is served at the
     * {@code default-context-path} of its web.xml, or else as the root.
     */
    public static WebApplication war(Path fileOrDirectory) {
        return new WebApplication(
                null, Objects.requireNonNull(fileOrDirectory), null, new WebAppModel(), new ArrayList<>());
    }

    /** An application put together in code: no web.xml is read and nothing is scanned. */
    public static WebApplicationBuilder builder(String contextPath) {
        return new WebApplicationBuilder(contextPath);
    }

    static WebApplication inCode(
            String contextPath, @Nullable Path docBase, WebAppModel model, List<Consumer<ServletContext>> setup) {
        return new WebApplication(contextPath, null, docBase, model, setup);
    }

    /** {@code ""} or {@code "/"} for the root, otherwise a path with a leading and without a trailing slash. */
    public WebApplication contextPath(String path) {
        contextPath = checked(path);
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
        loader = classLoader;
        return this;
    }

    /** Whether a WAR's classes are looked for in the parent class loader first. False otherwise, as the specification asks. */
    public WebApplication delegate(boolean parentFirst) {
        options = options.withDelegate(parentFirst);
        return this;
    }

    /** What holds for a WAR unless its own descriptors say otherwise: {@link DefaultDescriptors#NONE} otherwise. */
    public WebApplication defaults(DefaultDescriptors descriptors) {
        options = options.withDefaults(descriptors);
        return this;
    }

    /** Runs before the application's own initializers: attributes, parameters, further servlets. */
    public WebApplication configure(Consumer<ServletContext> action) {
        setup.add(action);
        return this;
    }

    /** Changes what web.xml, fragments and annotations say, all together, before the application is made of it. */
    public WebApplication model(Consumer<WebAppModel> change) {
        changes.add(change);
        return this;
    }

    /**
     * What the application finds below {@code java:comp/env}, made when it is first looked up.
     *
     * @param name such as {@code jdbc/shop}; with {@code java:} in front it is a whole name, {@code java:comp/UserTransaction}
     * @param overridable an env-entry of this name in web.xml stands above it
     */
    public WebApplication resource(String name, boolean overridable, ResourceSource source) {
        changes.add(deployed -> {
            boolean said = deployed.namingEntries.stream()
                    .anyMatch(entry -> entry.name().equals(name) && entry.value() != null);
            if (!said || !overridable) {
                resources.put(name, source);
                deployed.namingEntries.replaceAll(entry -> entry.name().equals(name) ? entry.withoutValue() : entry);
            }
        });
        return this;
    }

    /**
     * What the default servlet keeps of the application's files, and where symbolic links among them may lead: {@link
     * #FILE_CACHE} and {@link SymbolicLinks#INSIDE} otherwise.
     */
    public WebApplication files(CacheLimits cache, SymbolicLinks symbolicLinks) {
        fileCache = Objects.requireNonNull(cache);
        links = Objects.requireNonNull(symbolicLinks);
        return this;
    }

    /** The SameSite attribute of all its cookies; none otherwise. */
    public WebApplication sameSite(SameSite value) {
        sameSite = value;
        return this;
    }

    /** How its sessions are kept and carried, where its web.xml does not say it. */
    public WebApplication sessions(SessionSettings settings) {
        sessions = settings;
        return this;
    }

    /** Limits on parameters and uploads. */
    public WebApplication formLimits(FormLimits limits) {
        formLimits = limits;
        return this;
    }

    /** The users who may log in; none by default. */
    public WebApplication identities(IdentityStore store) {
        identities = store;
        return this;
    }

    /**
     * Lets only those clients in that the filter admits, before anything of the application runs, files included; {@link
     * #forwarded} may come before it or after it.
     */
    public WebApplication addressFilter(AddressFilter filter) {
        wrappers.add((next, files) -> filter.wrap(next));
        return this;
    }

    /** Which of its libraries are looked into for fragments, annotations and tag libraries; all of them otherwise. */
    public WebApplication jarFilter(JarFilter filter) {
        options = options.withJars(filter);
        return this;
    }

    /**
     * Files from elsewhere that appear among its own: for clients, for its ServletContext and, below WEB-INF, for its class loader and as
     * its descriptors. Nothing otherwise.
     */
    public WebApplication extraResources(ExtraResources resources) {
        extra = resources;
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

    /** Takes requests to it as they were before a front end relayed them. */
    public WebApplication forwarded(Relay relay) {
        wrappers.add((next, files) -> relay.wrap(next));
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
     * Puts a handler before it, in the order in which it was added to address filters, relays and rules.
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

    /** How logins are asked for; {@link LoginOptions#DEFAULTS} otherwise. */
    public WebApplication loginOptions(LoginOptions options) {
        loginOptions = options;
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

    /** Appended to session ids for load balancers. */
    public WebApplication jvmRoute(@Nullable String route) {
        jvmRoute = route;
        return this;
    }

    /** The port of https, for resources that ask for a secure transport; 0, the default: they are refused. */
    public WebApplication redirectPort(int port) {
        redirectPort = port;
        return this;
    }

    /**
     * Whether {@code ServletContext.getContext} gives it the other applications of its host, so that it can forward requests
     * to them and include what they answer. False otherwise, as in Tomcat.
     */
    public WebApplication crossContext(boolean allowed) {
        crossContext = allowed;
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
     * The started application's context, for embedders.
     *
     * @throws IllegalStateException if it is not started
     */
    public ServletContext servletContext() {
        return required().context().servletContext();
    }

    /** Null unless it is started; {@link #servletContext} for those who know that it is. Any thread. */
    public @Nullable ServletContext contextIfStarted() {
        RunningApplication now = running;
        return now == null ? null : now.context().servletContext();
    }

    private RunningApplication required() {
        RunningApplication now = running;
        if (now == null) {
            throw new IllegalStateException("web application " + contextPath() + " is not started");
        }
        return now;
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

    /** Null for an application in code. The caller closes it. */
    @Nullable
    Deployment open(WorkDirectory work) throws IOException, DeploymentException {
        return war == null
                ? null
                : DeploymentReader.read(war, work.path(), parentLoader(), options.withExtra(extra, links));
    }

    WorkDirectory workDirectory() throws IOException {
        return WorkDirectory.of(workDirectory, contextPath());
    }

    Map<String, ResourceSource> resources() {
        return resources;
    }

    List<Consumer<ServletContext>> setup() {
        return setup;
    }

    Consumer<ClassLoader> afterStop() {
        return afterStop;
    }

    private ClassLoader parentLoader() {
        return loader != null ? loader : WebApplication.class.getClassLoader();
    }

    ApplicationLogs openLogs() throws IOException {
        return ApplicationLogs.open(accessLogs);
    }

    List<DrainingRule> draining() {
        return draining;
    }

    /**
     * Puts address filters and the like before it.
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
        if (deployment != null) {
            return settings(
                    deployment.model(),
                    deployment.loader(),
                    deployment.docBase(),
                    deployment.resourceJars(),
                    deployment.temporaryDirectory());
        }
        ClassLoader own = loader != null ? loader : Thread.currentThread().getContextClassLoader();
        Path files =
                docBase != null ? docBase : Files.createDirectories(work.path().resolve("empty"));
        Path temporary = Files.createDirectories(work.path().resolve("tmp"));
        return settings(model, own != null ? own : WebApplication.class.getClassLoader(), files, List.of(), temporary);
    }

    private AppSettings settings(
            WebAppModel deployed, ClassLoader classes, Path files, List<Path> resourceRoots, Path temporary) {
        changes.forEach(change -> change.accept(deployed));
        String path = contextPath();
        return new AppSettings(
                path,
                logName == null ? "io.millrace.application" + path.replace('/', '.') : logName,
                deployed,
                classes,
                files,
                resourceRoots,
                extra.files(),
                fileCache,
                links,
                temporary,
                sameSite,
                sessions,
                formLimits,
                identities,
                loginOptions,
                jvmRoute,
                redirectPort,
                crossContext,
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
        if (war == null) {
            return WarInspection.NOTHING;
        }
        WorkDirectory work = WorkDirectory.of(null, contextPath());
        try (Deployment deployment =
                DeploymentReader.inspect(war, work.path(), parentLoader(), options.withExtra(extra, links))) {
            changes.forEach(change -> change.accept(deployment.model()));
            List<String> defects = new ArrayList<>(ComponentClasses.defects(deployment.model(), deployment.loader()));
            String login = AccessControl.defect(deployment.model(), loginOptions);
            if (login != null) {
                defects.add(login);
            }
            return new WarInspection(
                    defects,
                    List.copyOf(deployment.model().misspelt),
                    ComponentClasses.absentServlets(deployment.model(), deployment.loader()),
                    sentences(deployment.endpoints()));
        } catch (DeploymentException e) {
            return new WarInspection(List.of(e.getMessage()), List.of(), List.of(), List.of());
        } finally {
            work.close();
        }
    }

    private List<String> sentences(DeclaredEndpoints endpoints) {
        if (!endpoints.choosers().isEmpty()) {
            return List.of("WebSocket endpoints: chosen at start by " + String.join(", ", endpoints.choosers()));
        }
        return endpoints.annotated().entrySet().stream()
                .map(endpoint ->
                        "WebSocket endpoint " + endpoint.getValue() + " at " + contextPath() + endpoint.getKey())
                .toList();
    }

    @Override
    public void stop() {
        RunningApplication was = running;
        if (was != null) {
            running = null;
            was.stop();
        }
    }

    private static String checked(String path) {
        if (path.isEmpty() || path.equals("/")) {
            return "";
        }
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException(
                    "context path \"" + path + "\" must be empty or begin with a slash and not end with one");
        }
        return path;
    }
}
