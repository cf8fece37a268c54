package io.millrace.junit;

import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.exchange.HttpHandler;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.WebApplicationBuilder;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server for the tests of a class: {@code @RegisterExtension static final MillraceExtension shop = MillraceExtension.war(…)}. In a
 * static field it starts before the first test of the class and its nested classes, and stops after the last one; in another field,
 * for each test. It listens on a free port of 127.0.0.1.
 *
 * <p>Parameters of test methods, constructors and lifecycle methods may be of the types {@link URI} (the address of the application,
 * which ends with a slash), {@link HttpClient} (with cookies, one for each test), {@link Server}, {@link Path} (a work directory, which
 * is deleted after the last test), {@link LogLines} and this type.
 *
 * <p>The server's log is part of the report of a test that fails, as a suppressed exception of its failure, and is written nowhere
 * else. A test fails if it has ended and one of its requests has not, or if buffers have been leased and not released.
 *
 * <p>Thread-safe, once its server has started.
 */
public class MillraceExtension
        implements BeforeAllCallback,
                AfterAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler,
                ParameterResolver {

    /** How long a test's last request may take after the test has ended, before it is a leak. */
    private static final Duration SETTLING = Duration.ofSeconds(2);

    private static final Set<Class<?>> TYPES =
            Set.of(URI.class, HttpClient.class, Server.class, Path.class, LogLines.class, MillraceExtension.class);

    private final Function<ExtensionContext, Served> choice;
    private Consumer<ServerBuilder> settings = server -> {};
    private Consumer<WebApplication> applicationSettings = application -> {};
    private boolean checksLeaks = true;

    /** Classes that have begun and not ended, or 1 for a test with a server of its own. Guarded by this. */
    private int users;
    /** Tests that are running. Guarded by this. */
    private int tests;

    private volatile @Nullable TestServer running;

    /** @param choice what the tests of a class need; called before its server starts */
    MillraceExtension(Function<ExtensionContext, Served> choice) {
        this.choice = choice;
    }

    /** Serves a WAR, packed or unpacked, at the root. */
    public static MillraceExtension war(Path war) {
        return war(war, "");
    }

    /** Serves a WAR, packed or unpacked. */
    public static MillraceExtension war(Path war, String contextPath) {
        return new MillraceExtension(context -> Served.war(war, contextPath));
    }

    /**
     * Serves the directory of an application's files at the root, with the classes of the project ({@code target/classes} or {@code
     * build/classes/java/main}), of which the test sees the same ones.
     *
     * @param directory such as {@code src/main/webapp}
     */
    public static MillraceExtension webapp(Path directory) {
        return webapp(directory, "");
    }

    /** Serves such a directory at a context path. */
    public static MillraceExtension webapp(Path directory, String contextPath) {
        return new MillraceExtension(context -> Served.webapp(directory, contextPath));
    }

    /** Serves all requests with a handler. */
    public static MillraceExtension handler(HttpHandler handler) {
        return new MillraceExtension(context -> Served.handler(() -> handler));
    }

    /**
     * Serves servlets and filters at the root.
     *
     * @param servlets adds them; called again for each {@link #restart}
     */
    public static MillraceExtension servlets(Consumer<WebApplicationBuilder> servlets) {
        return servlets("", servlets);
    }

    /** Serves servlets and filters at a context path. */
    public static MillraceExtension servlets(String contextPath, Consumer<WebApplicationBuilder> servlets) {
        return new MillraceExtension(context -> Served.servlets(servlets, contextPath));
    }

    /** Sets what changes the settings of the server, before it starts. */
    public MillraceExtension server(Consumer<ServerBuilder> change) {
        settings = change;
        return this;
    }

    /** Sets what changes the settings of the application, before it starts. */
    public MillraceExtension application(Consumer<WebApplication> change) {
        applicationSettings = change;
        return this;
    }

    /** Sets whether requests and buffers are checked after each test. Default: true. */
    public MillraceExtension leakCheck(boolean value) {
        checksLeaks = value;
        return this;
    }

    /** The address of the application; ends with a slash, so that {@code uri().resolve("cart")} is below it. */
    public URI uri() {
        return server(running).uri();
    }

    /** The server. Another one after {@link #restart}. */
    public Server server() {
        return server(running).server();
    }

    /** What the server has logged. */
    public LogLines log() {
        return server(running).log;
    }

    /**
     * Stops the server and starts another one on the same port, with a fresh application and the sessions of the one before, if their
     * attributes are serializable.
     */
    public void restart() throws Exception {
        TestServer current = server(running);
        current.stop();
        current.start(current.port);
    }

    /**
     * Waits for at most ten seconds until the server has no requests, apart from open WebSockets.
     *
     * @throws AssertionError if it still has some; its message names them
     */
    public void awaitIdle() {
        String leak = server(running).settle(Duration.ofSeconds(10));
        if (leak != null) {
            throw new AssertionError(leak);
        }
    }

    /**
     * Turns the server's clock forward: sessions and asynchronous requests time out that are due then. Idle times of connections and
     * times in cookies are measured with the system's clock. Waits before, for at most a second, until no request is running on a
     * thread: the time of an asynchronous one begins when its servlet or handler has returned.
     */
    public void advance(Duration by) {
        server(running).advance(by);
    }

    private static TestServer server(@Nullable TestServer server) {
        if (server == null) {
            throw new IllegalStateException("The server is not running. It runs during tests, and from @BeforeAll to"
                    + " @AfterAll if the field of the extension is static and has @RegisterExtension");
        }
        return server;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        enter(context);
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        leave();
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        boolean own;
        synchronized (this) {
            own = users == 0;
        }
        store(context).put("own", own);
        if (own) {
            enter(context);
        }
        synchronized (this) {
            tests++;
        }
        store(context).put("mark", server(running).log.size());
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        Boolean own = store(context).get("own", Boolean.class);
        if (own == null) {
            return; // another extension has failed before
        }
        boolean started = store(context).get("mark") != null;
        boolean last;
        synchronized (this) {
            tests -= started ? 1 : 0;
            last = tests == 0;
        }
        try {
            if (started
                    && checksLeaks
                    && last
                    && context.getExecutionException().isEmpty()) {
                String leak = server(running).settle(SETTLING);
                if (leak != null) {
                    throw withLog(new AssertionError(leak), context);
                }
            }
        } finally {
            if (own) {
                leave();
            }
        }
    }

    private synchronized void enter(ExtensionContext context) throws Exception {
        if (users++ > 0) {
            return;
        }
        TestServer starting = new TestServer(choice.apply(context), settings, applicationSettings);
        try {
            starting.start(0);
            running = starting;
        } catch (Exception | Error e) {
            starting.close();
            throw e;
        }
    }

    private synchronized void leave() throws Exception {
        TestServer stopping = running;
        if (--users == 0 && stopping != null) {
            running = null;
            stopping.close();
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw withLog(failure, context);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw withLog(failure, context);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw withLog(failure, context);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw withLog(failure, context);
    }

    private <T extends Throwable> T withLog(T failure, ExtensionContext context) {
        TestServer server = running;
        boolean aborted = failure.getClass().getName().equals("org.opentest4j.TestAbortedException");
        if (server != null && !aborted) {
            Integer mark = store(context).get("mark", Integer.class);
            TestServer.ServerLog.addTo(failure, server.log.from(mark == null ? 0 : mark));
        }
        return failure;
    }

    private ExtensionContext.Store store(ExtensionContext context) {
        return context.getStore(
                ExtensionContext.Namespace.create(MillraceExtension.class, this, context.getUniqueId()));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TYPES.contains(parameter.getParameter().getType()) && !parameter.isAnnotated(TempDir.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type.equals(MillraceExtension.class)) {
            return this;
        }
        if (type.equals(HttpClient.class)) {
            return store(context)
                    .getOrComputeIfAbsent(
                            "client",
                            name -> HttpClient.newBuilder()
                                    .cookieHandler(new CookieManager())
                                    .build(),
                            HttpClient.class);
        }
        TestServer server = server(running);
        if (type.equals(URI.class)) {
            return server.uri();
        }
        if (type.equals(Server.class)) {
            return server.server();
        }
        return type.equals(Path.class) ? server.work() : server.log;
    }
}
