package io.millrace.junit;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.exchange.RequestMeter;
import io.millrace.files.FileDeletion;
import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.store.MemorySessionStore;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** A server, and what outlives its restarts. */
final class TestServer {

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final long POOL_SIZE = 64L * 1024 * 1024;

    /** How long the thread of an asynchronous request may take to return before the clock is turned. */
    private static final Duration RETURNING = Duration.ofSeconds(1);

    final LogLines log;
    private final Timers timers;
    private final String name = "junit-" + COUNT.incrementAndGet() + "-";
    private final Served served;
    private final Consumer<ServerBuilder> settings;
    private final Consumer<WebApplication> applicationSettings;
    private final BufferPool buffers = new BufferPool(POOL_SIZE, true);
    private final SessionSettings sessions = SessionSettings.DEFAULT.keptOverRestart(new MemorySessionStore());

    /** What was reported already, which a later test did not cause. Guarded by this. */
    private final Set<String> reported = new HashSet<>();

    private int reportedBuffers;
    private @Nullable Path work;
    private @Nullable WorkerPool workers;
    private volatile @Nullable Server server;
    int port;

    TestServer(Served served, Consumer<ServerBuilder> settings, Consumer<WebApplication> applicationSettings) {
        this.served = served;
        this.settings = settings;
        this.applicationSettings = applicationSettings;
        log = LogLines.open(name);
        timers = new Timers(name + "timers");
    }

    void start(int wanted) throws Exception {
        log.during(() -> {
            WorkerPool pool = new WorkerPool(name + "worker", 200, 0);
            workers = pool;
            ServerBuilder builder = Server.builder()
                    .connector(Connector.builder()
                            .name(name + "http")
                            .address("127.0.0.1")
                            .port(wanted)
                            .with(TransportOptions.IO_THREADS, 1)
                            .build())
                    .workers(pool)
                    .timers(timers)
                    .buffers(buffers);
            settings.accept(builder);
            served.addTo(builder, work().resolve("application"), sessions, applicationSettings);
            server = start(builder);
        });
        port = server().port();
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getName() : root.getMessage();
    }

    private Server start(ServerBuilder builder) throws IOException {
        try {
            return builder.start();
        } catch (IllegalStateException | IOException e) {
            ExtensionConfigurationException failure = new ExtensionConfigurationException(
                    "The " + served.describe() + " does not start: " + rootMessage(e)
                            + ". Correct that; below is the server's log",
                    e);
            ServerLog.addTo(failure, log.lines());
            throw failure;
        }
    }

    Server server() {
        return started(server);
    }

    URI uri() {
        return URI.create("http://localhost:" + port + served.contextPath() + "/");
    }

    synchronized Path work() {
        Path directory = work;
        if (directory == null) {
            try {
                directory = Files.createTempDirectory("millrace-junit");
            } catch (IOException e) {
                throw new ExtensionConfigurationException(
                        "The work directory cannot be created below " + System.getProperty("java.io.tmpdir"), e);
            }
            work = directory;
        }
        return directory;
    }

    void stop() throws Exception {
        Server stopping = server;
        WorkerPool pool = workers;
        log.during(() -> {
            if (stopping != null) {
                stopping.stop(Duration.ZERO);
            }
            if (pool != null) {
                pool.close();
            }
        });
    }

    void close() throws Exception {
        try {
            stop();
        } finally {
            timers.close();
            log.close();
            if (work != null) {
                FileDeletion.deleteTree(work);
            }
        }
    }

    /** Waits until nothing is in progress; null then, otherwise what still is, which is not reported again. */
    synchronized @Nullable String settle(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        List<RequestMeter.Active> active = active();
        while (!active.isEmpty() || buffers.outstanding() > reportedBuffers) {
            if (System.nanoTime() - deadline > 0) {
                return leak(active);
            }
            LockSupport.parkNanos(200_000);
            active = active();
        }
        reportedBuffers = Math.min(reportedBuffers, buffers.outstanding());
        return null;
    }

    void advance(Duration by) {
        long deadline = System.nanoTime() + RETURNING.toNanos();
        while (active().stream().anyMatch(request -> request.thread() != null) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(200_000);
        }
        timers.advance(by);
    }

    private List<RequestMeter.Active> active() {
        return server().connectorStates().stream()
                .flatMap(connector -> connector.requests().active().stream())
                .filter(request -> !request.isTunnel() && !reported.contains(key(request)))
                .toList();
    }

    /** A request, as its record differs each time. */
    private static String key(RequestMeter.Active request) {
        return System.identityHashCode(request.request()) + " " + request.request();
    }

    private String leak(List<RequestMeter.Active> active) {
        List<String> sentences = new ArrayList<>();
        if (!active.isEmpty()) {
            active.forEach(request -> reported.add(key(request)));
            sentences.add("Requests have not ended: "
                    + active.stream().map(TestServer::describe).collect(Collectors.joining("; "))
                    + ". Complete each exchange, or close each response that the test does not read to its end");
        }
        int leaked = buffers.outstanding() - reportedBuffers;
        if (leaked > 0 && active.isEmpty()) {
            reportedBuffers += leaked;
            sentences.add(leaked + (leaked == 1 ? " buffer was" : " buffers were")
                    + " leased and not released. Release each chunk that is read or leased; all that are leased now:\n"
                    + buffers.leakReport());
        }
        return String.join("\n", sentences);
    }

    private static String describe(RequestMeter.Active request) {
        Thread thread = request.thread();
        return request.request().method() + " " + request.request().target() + ", since "
                + request.nanos() / 1_000_000
                + " ms, "
                + (thread == null
                        ? "asynchronous"
                        : "on " + thread.getName() + " at "
                                + Stream.of(thread.getStackTrace())
                                        .limit(12)
                                        .map(frame -> "\n    " + frame)
                                        .collect(Collectors.joining()));
    }

    private static Server started(@Nullable Server server) {
        if (server == null) {
            throw new IllegalStateException("the server has not started");
        }
        return server;
    }

    /** The lines that a server has logged during a test, among the suppressed exceptions of its failure. */
    static final class ServerLog extends Exception {

        private static final long serialVersionUID = 1L;

        private ServerLog(String lines) {
            super(lines, null, false, false);
        }

        static void addTo(Throwable failure, List<String> lines) {
            boolean has = Stream.of(failure.getSuppressed()).anyMatch(ServerLog.class::isInstance);
            if (!has) {
                failure.addSuppressed(new ServerLog("The server has logged during this test: "
                        + (lines.isEmpty() ? "nothing" : "\n" + String.join("\n", lines))));
            }
        }
    }
}
