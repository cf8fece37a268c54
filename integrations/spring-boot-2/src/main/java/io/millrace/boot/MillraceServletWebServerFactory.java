package io.millrace.boot;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.compression.CompressionMode;
import io.millrace.handler.AccessLog;
import io.millrace.handler.AccessLogBuilder;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.TransportOptions;
import io.millrace.jsp.JspInitializer;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolProvider;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.WebApplicationBuilder;
import io.millrace.servlet.deploy.DeploymentOptions;
import io.millrace.servlet.model.ErrorPageModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.resource.ResourceMount;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.store.FileSessionStore;
import io.millrace.servlet.settings.SameSite;
import io.millrace.settings.Settings;
import io.millrace.websocket.jsr.server.WebSocketInitializer;
import io.millrace.workers.VirtualWorkers;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.web.server.Compression;
import org.springframework.boot.web.server.ErrorPage;
import org.springframework.boot.web.server.MimeMappings;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.server.AbstractServletWebServerFactory;
import org.springframework.boot.web.servlet.server.CookieSameSiteSupplier;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.ResourceLoaderAware;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * Makes Millrace the server of a Spring Boot application: it takes the settings {@code server.*} that are the same for all servers,
 * and {@code server.millrace.*}. What neither has is set by customizers. Its applications start before the port is bound.
 */
public class MillraceServletWebServerFactory extends AbstractServletWebServerFactory
        implements ResourceLoaderAware, EnvironmentAware {

    private static final boolean JSP = ClassUtils.isPresent(
            "io.millrace.jsp.JspInitializer", MillraceServletWebServerFactory.class.getClassLoader());

    /** What has been logged: the management port has the same properties, and so has a context after a restart. */
    private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

    private final List<Consumer<ServerBuilder>> serverCustomizers = new ArrayList<>();
    private final List<Consumer<ConnectorBuilder>> connectorCustomizers = new ArrayList<>();
    private final List<Consumer<WebApplication>> applicationCustomizers = new ArrayList<>();
    private @Nullable ResourceLoader resourceLoader;
    private Environment environment = new StandardEnvironment();

    /** A factory for port 8080. */
    public MillraceServletWebServerFactory() {}

    /** A factory for this port; 0 for a free one. */
    public MillraceServletWebServerFactory(int port) {
        super(port);
    }

    @Override
    public void setResourceLoader(ResourceLoader loader) {
        resourceLoader = loader;
    }

    @Override
    public void setEnvironment(Environment value) {
        environment = value;
    }

    /** Adds what changes the server's settings, after the properties. */
    public void addServerCustomizers(List<Consumer<ServerBuilder>> customizers) {
        serverCustomizers.addAll(customizers);
    }

    /** Adds what changes the settings of the port, after the properties. */
    public void addConnectorCustomizers(List<Consumer<ConnectorBuilder>> customizers) {
        connectorCustomizers.addAll(customizers);
    }

    /** Adds what changes the settings of the application, after the properties. */
    public void addApplicationCustomizers(List<Consumer<WebApplication>> customizers) {
        applicationCustomizers.addAll(customizers);
    }

    @Override
    public WebServer getWebServer(ServletContextInitializer... initializers) {
        MillraceSettings own = MillraceSettings.read(environment);
        if (!(own.used().isEmpty() && own.ignored().isEmpty()) && REPORTED.add(own.used() + " " + own.ignored())) {
            BootMessages.LOG.foreignProperties(names(own.used()), names(own.ignored()));
        }
        boolean listens = getPort() >= 0;
        ServerBuilder server = Server.builder().connector(connector(own)).failFast(true);
        configure(server, own);
        WebApplication application = application(mergeInitializers(initializers));
        applicationCustomizers.forEach(customizer -> customizer.accept(application));
        server.application(application);
        serverCustomizers.forEach(customizer -> customizer.accept(server));
        try {
            return new MillraceWebServer(server.prepare(), listens, getShutdown());
        } catch (IllegalStateException failed) {
            throw failure(failed);
        }
    }

    /** Spring's own exceptions as they are: Boot analyzes them. */
    private static RuntimeException failure(IllegalStateException failed) {
        Throwable cause = failed.getCause();
        if (cause instanceof RuntimeException thrown) {
            return thrown;
        }
        return new WebServerException("Millrace does not start: " + failed.getMessage(), failed);
    }

    private static String names(List<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    private Connector connector(MillraceSettings own) {
        Settings settings = own.connector(shared());
        boolean virtual = own.flag(MillraceSettings.VIRTUAL_THREADS);
        if (virtual) {
            settings = settings.with(TransportOptions.THREADS, TransportOptions.Threads.VIRTUAL);
        }
        Integer threads = own.number(MillraceSettings.MAX_THREADS);
        if (threads != null) {
            settings = settings.with(TransportOptions.MAX_THREADS, threads);
        }
        ConnectorBuilder connector =
                Connector.builder().port(Math.max(0, getPort())).settings(settings);
        String transport = own.text(MillraceSettings.TRANSPORT);
        if (transport != null) {
            connector.transport(transport);
        }
        InetAddress address = getAddress();
        if (address != null) {
            connector.address(address.getHostAddress());
        }
        boolean tls = getSsl() != null && getSsl().isEnabled();
        if (tls) {
            connector.tls(own.tls(BootTls.options(getSsl(), getOrCreateSslStoreProvider())));
        }
        if (getHttp2() != null && getHttp2().isEnabled()) {
            String scheme = tls ? "https" : "http";
            connector.protocols(List.of(http2(scheme, settings), new Http1Protocol(settings, scheme)));
        }
        connectorCustomizers.forEach(customizer -> customizer.accept(connector));
        return connector.build();
    }

    private static Protocol http2(String scheme, Settings settings) {
        return StreamSupport.stream(
                        ServiceLoader.load(ProtocolProvider.class, ProtocolProvider.class.getClassLoader())
                                .spliterator(),
                        false)
                .filter(provider -> provider.name().equals("http2"))
                .findFirst()
                .orElseThrow(() -> new WebServerException(
                        "server.http2.enabled is true, and there is no HTTP/2: add the artifact"
                                + " io.millrace:millrace-connector-http2, or set it to false",
                        null))
                .create(scheme, settings);
    }

    /** What Boot has for all servers. */
    private Settings shared() {
        Settings settings = Settings.DEFAULTS;
        String header = getServerHeader();
        if (header != null) {
            settings = settings.with(HttpOptions.SERVER, header);
        }
        DataSize head = environment.getProperty("server.max-http-header-size", DataSize.class);
        if (head != null && head.toBytes() > 0) {
            settings = settings.with(HttpOptions.MAX_REQUEST_HEADER_SIZE, bytes("server.max-http-header-size", head));
        }
        Compression compression = getCompression();
        if (compression == null || !compression.getEnabled()) {
            return settings;
        }
        settings = settings.with(io.millrace.compression.Compression.MODE, CompressionMode.ON)
                .with(
                        io.millrace.compression.Compression.MIN_SIZE,
                        bytes("server.compression.min-response-size", compression.getMinResponseSize()))
                .with(io.millrace.compression.Compression.COMPRESSIBLE_MIME_TYPE, Set.of(compression.getMimeTypes()));
        String[] agents = compression.getExcludedUserAgents();
        return agents == null || agents.length == 0
                ? settings
                : settings.with(
                        io.millrace.compression.Compression.NO_COMPRESSION_USER_AGENTS,
                        Pattern.compile(Arrays.stream(agents)
                                .map(agent -> "(?:.*" + agent + ".*)")
                                .collect(Collectors.joining("|"))));
    }

    private static int bytes(String property, DataSize size) {
        try {
            return Math.toIntExact(size.toBytes());
        } catch (ArithmeticException tooLarge) {
            throw new IllegalArgumentException(property + " is " + size + "; expected less than 2 GiB", tooLarge);
        }
    }

    private void configure(ServerBuilder server, MillraceSettings own) {
        Integer max = own.number(MillraceSettings.MAX_THREADS);
        if (max != null) {
            server.maxThreads(max);
        }
        Integer spare = own.number(MillraceSettings.MIN_SPARE_THREADS);
        if (spare != null) {
            server.minSpareThreads(spare);
        }
        Integer limit = own.number(MillraceSettings.OUTPUT_LIMIT);
        if (limit != null) {
            server.outputLimit(limit);
        }
        if (own.flag(MillraceSettings.VIRTUAL_THREADS)) {
            server.workers(new VirtualWorkers("millrace-worker"));
        }
        if (own.flag(MillraceSettings.MBEANS)) {
            server.jmxDomain("Tomcat");
        }
        if (own.flag(MillraceSettings.LOGS)) {
            server.accessLog(accessLog(own));
        }
        if (own.hasRemoteIp() || usesForwardHeaders()) {
            server.forwarded(own.remoteIp());
        }
    }

    private boolean usesForwardHeaders() {
        String strategy = environment.getProperty("server.forward-headers-strategy");
        if (strategy != null) {
            return strategy.equalsIgnoreCase("native");
        }
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders();
    }

    private static AccessLog accessLog(MillraceSettings own) {
        AccessLogBuilder log = AccessLog.builder();
        set(own.text(MillraceSettings.LOG_DIRECTORY), value -> log.directory(Path.of(value)));
        set(own.text(MillraceSettings.LOG_PREFIX), log::prefix);
        set(own.text(MillraceSettings.LOG_SUFFIX), log::suffix);
        set(own.text(MillraceSettings.LOG_PATTERN), log::pattern);
        Integer days = own.number(MillraceSettings.LOG_DAYS);
        if (days != null) {
            log.maxDays(days);
        }
        try {
            return log.open();
        } catch (IOException e) {
            throw new WebServerException(
                    "The access log cannot be written: " + e.getMessage() + "; set server.millrace.accesslog.directory",
                    e);
        }
    }

    private static void set(@Nullable String value, Consumer<String> setter) {
        if (value != null) {
            setter.accept(value);
        }
    }

    private WebApplication application(ServletContextInitializer[] initializers) {
        WebApplicationBuilder builder = WebApplication.builder(getContextPath())
                .classLoader(loader())
                .configure(WebSocketInitializer::enable)
                .model(this::describe);
        File root = getValidDocumentRoot();
        if (root != null && root.isDirectory()) {
            builder.docBase(root.toPath());
        }
        if (JSP && shouldRegisterJspServlet()) {
            builder.configure(JspInitializer::enable);
        }
        builder.configure(context -> start(context, initializers));
        List<ResourceMount> packed = root == null || root.isDirectory()
                ? List.of()
                : List.of(new ResourceMount(ResourceMount.Kind.JAR, root.toPath(), "", "", false, true));
        WebApplication application = builder.build()
                .deployment(DeploymentOptions.DEFAULT.withExtra(new ExtraResources(packed, List.of(), List.of())
                        .withLibraries(getUrlsOfJarsWithMetaInfResources())))
                .sameSite(this::sameSite);
        return getSession().isPersistent()
                ? application.sessions(SessionSettings.DEFAULT.keptOverRestart(store()))
                : application;
    }

    private ClassLoader loader() {
        ClassLoader own = resourceLoader == null ? null : resourceLoader.getClassLoader();
        return own != null ? own : Objects.requireNonNull(ClassUtils.getDefaultClassLoader());
    }

    private FileSessionStore store() {
        try {
            return new FileSessionStore(getValidSessionStoreDir().toPath());
        } catch (IOException e) {
            throw new WebServerException(
                    "Sessions cannot be stored: " + e.getMessage() + "; set server.servlet.session.store-dir", e);
        }
    }

    private void describe(WebAppModel model) {
        model.displayName = getDisplayName();
        Duration timeout = getSession().getTimeout();
        model.session.timeoutMinutes = timeout == null || timeout.isZero() || timeout.isNegative()
                ? 0
                : (int) Math.max(1, timeout.toMinutes());
        for (ErrorPage page : getErrorPages()) {
            int status = page.getStatus() == null ? 0 : page.getStatus().value();
            model.errorPages.add(new ErrorPageModel(status, page.getExceptionName(), page.getPath()));
        }
        for (MimeMappings.Mapping mapping : getMimeMappings()) {
            model.mimeTypes.put(mapping.getExtension(), mapping.getMimeType());
        }
        getLocaleCharsetMappings()
                .forEach((locale, charset) -> model.localeEncodings.put(locale.toString(), charset.toString()));
        model.listeners.addAll(getWebListenerClassNames());
    }

    private void start(ServletContext context, ServletContextInitializer[] initializers) {
        try {
            for (ServletContextInitializer initializer : initializers) {
                initializer.onStartup(context);
            }
        } catch (ServletException e) {
            throw new WebServerException("The application does not start: " + e.getMessage(), e);
        }
        boolean serves = context.getServletRegistrations().values().stream()
                .anyMatch(servlet -> servlet.getMappings().contains("/")
                        && !servlet.getName().equals("default"));
        if (!isRegisterDefaultServlet() && !serves) {
            context.addServlet("io.millrace.boot.nothing", new Nothing()).addMapping("/");
        }
    }

    /** The attribute of the first supplier that knows the cookie; null if none does. */
    private @Nullable SameSite sameSite(Cookie cookie) {
        org.springframework.boot.web.server.Cookie.SameSite ofSessions =
                getSession().getCookie().getSameSite();
        if (ofSessions != null && cookie.getName().equals(sessionCookie())) {
            return of(ofSessions);
        }
        for (CookieSameSiteSupplier supplier : getCookieSameSiteSuppliers()) {
            org.springframework.boot.web.server.Cookie.SameSite found = supplier.getSameSite(cookie);
            if (found != null) {
                return of(found);
            }
        }
        return null;
    }

    private String sessionCookie() {
        String name = getSession().getCookie().getName();
        return name == null ? "JSESSIONID" : name;
    }

    private static SameSite of(org.springframework.boot.web.server.Cookie.SameSite value) {
        return SameSite.valueOf(value.name().toUpperCase(Locale.ROOT));
    }

    /** Answers what no servlet does; without it the container's default servlet would serve the files of the document root. */
    private static final class Nothing extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        }
    }
}
