package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Application;
import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.ServerContext;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.files.FileHandler;
import io.millrace.handler.AccessLog;
import io.millrace.handler.Responses;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.BufferPool;
import io.millrace.protocol.Protocol;
import io.millrace.proxy.BackendStatus;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.HostileClient;
import io.millrace.testkit.HostileClient.Force;
import io.millrace.testkit.HostileKind;
import io.millrace.testkit.HostileKind.Targets;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.Transports;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * While others attack the same server, on every transport and as a proxy, it … The figures are those of {@code benchmarks/run
 * neighbours}; nothing here is a matter of time. {@code -Dmillrace.neighbours.seconds=60} for the attacks of the soak ring.
 */
@NullUnmarked
@Timeout(300)
final class BadNeighboursTest {

    private static final int SECONDS = Integer.getInteger("millrace.neighbours.seconds", 60);

    private static final int THREADS = 16;

    /** More than threads, so that a connection each would be enough to occupy all. */
    private static final int ATTACKERS = 30;

    /** Ticks of slow attackers are shorter by this factor, so that each has had some soon. */
    private static final int HASTE = 20;

    /** On each of five servers, so two hundred in all. */
    private static final Force MANY = new Force(40, 1, 1);

    private static final int MANY_THREADS = 200;
    private static final int GOOD = 5;
    private static final int SIZE = 8_000_000;

    private static final Targets TARGETS = new Targets("/app/big", "/files/big", "/app/upload", "/app/small");

    /** The attacks that a proxy sees: its clients do not speak AJP. */
    private static final List<String> FRONT = List.of("http1", "http2", "spdy");

    @TempDir
    private static Path directory = Path.of("");

    private static Site site;
    private static Proxy proxy;

    @BeforeAll
    static void start() throws Exception {
        site = new Site(THREADS, Transports.installed());
        proxy = new Proxy(site.port(Transports.byDefault()));
    }

    @AfterAll
    static void stop() {
        proxy.close();
        site.close();
    }

    static Stream<Arguments> attacks() {
        return Transports.installed().stream().flatMap(transport -> kinds().map(kind -> Arguments.of(transport, kind)));
    }

    static Stream<HostileKind> attacksOnProxies() {
        return kinds().filter(kind -> FRONT.stream().anyMatch(kind::speaks));
    }

    static Stream<HostileKind> kinds() {
        return Stream.of(HostileKind.values()).filter(kind -> !kind.isFair() && isInstalled(kind));
    }

    private static boolean isInstalled(HostileKind kind) {
        return List.of("ajp", "http2", "spdy").stream()
                .allMatch(name -> Connectors.contain(name) || !kind.speaks(name));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void answersAllOthersAndTakesBackWhatTheAttackersHeld(String transport, HostileKind kind) throws Exception {
        site.peak.set(0);
        int before = site.begun.get();
        try (HostileClient attack = attack(kind, few(kind), site, transport)) {
            awaitHold(attack, kind, () -> site.begun.get() - before);
            for (int i = 0; i < GOOD; i++) {
                assertAnswered(site.port(transport));
            }
        }
        if (!kind.speaks("http1") && !kind.speaks("ajp")) {
            // a share of the threads, and one for each connection that has no more
            assertTrue(site.peak.get() <= THREADS + ATTACKERS, site.peak + " handlers ran at the same time");
        }
        site.awaitPeace();
        assertAnswered(site.port(transport));
    }

    @ParameterizedTest
    @MethodSource("attacksOnProxies")
    void answersAllOthersThroughTheProxy(HostileKind kind) throws Exception {
        int before = site.begun.get();
        try (HostileClient attack = new HostileClient(kind, few(kind), proxy.server.port(), TARGETS)) {
            awaitHold(attack, kind, () -> site.begun.get() - before);
            for (int i = 0; i < GOOD; i++) {
                assertAnswered(proxy.server.port());
            }
        }
        proxy.awaitPeace();
        site.awaitPeace();
        assertAnswered(proxy.server.port());
    }

    /** On a server for each transport, and a proxy in front of the first, at the same time. */
    @ParameterizedTest
    @MethodSource("kinds")
    @Tag("soak")
    @Timeout(3600)
    void answersAllOthersForAMinute(HostileKind kind) throws Exception {
        List<Site> sites = new ArrayList<>();
        List<HostileClient> attacks = new ArrayList<>();
        Proxy front = null;
        try {
            for (String transport : Transports.installed()) {
                sites.add(new Site(MANY_THREADS, List.of(transport)));
                attacks.add(attack(kind, MANY, sites.get(sites.size() - 1), transport));
            }
            List<Integer> ports = new ArrayList<>(
                    sites.stream().map(each -> each.server.ports().get(0)).toList());
            if (FRONT.stream().anyMatch(kind::speaks)) {
                front = new Proxy(ports.get(0));
                ports.add(front.server.port());
                attacks.add(new HostileClient(kind, MANY, front.server.port(), TARGETS));
            }
            long until = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
            while (System.nanoTime() < until) {
                for (int port : ports) {
                    assertAnswered(port);
                }
            }
            attacks.forEach(HostileClient::close);
            if (front != null) {
                front.awaitPeace();
            }
            sites.forEach(Site::awaitPeace);
            for (int port : ports) {
                assertAnswered(port);
            }
        } finally {
            attacks.forEach(HostileClient::close);
            if (front != null) {
                front.close();
            }
            sites.forEach(Site::close);
        }
    }

    private static HostileClient attack(HostileKind kind, Force force, Site on, String transport) throws IOException {
        int port = kind.speaks("ajp") ? on.ajpPort(transport) : on.port(transport);
        return new HostileClient(kind, force, port, TARGETS);
    }

    /** Those that send many requests at once do so as often as elsewhere: more would be load, which takes its time. */
    private static Force few(HostileKind kind) {
        return switch (kind) {
            case CONNECTS, H2_RESET, H2_COOKIES, SPDY_RESET -> new Force(ATTACKERS, 1, 1);
            default -> new Force(ATTACKERS, 1, HASTE);
        };
    }

    /** Until all have begun, and each of those that begin again has done so a few times. */
    private static void awaitHold(HostileClient attack, HostileKind kind, IntSupplier begun) {
        Deadline.await("all attackers to have begun", () -> attack.begun() == ATTACKERS);
        switch (kind) {
            case CONNECTS, H1_ABORT -> Deadline.await("many connections", () -> attack.opened() >= 4 * ATTACKERS);
            case H2_RESET, H2_COOKIES, SPDY_RESET, H1_HEAD, H1_FILE -> {}
            default -> Deadline.await("handlers to run for attackers", () -> begun.getAsInt() >= 10);
        }
    }

    private static void assertAnswered(int port) throws IOException {
        try (RawClient client = RawClient.connect(port)) {
            client.send("GET /app/small HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            String answer = client.readTextToEnd();
            assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("small"), answer);
        }
    }

    /** A server on all transports, with all protocols and an access log. */
    private static final class Site implements Application {

        final AtomicInteger begun = new AtomicInteger();
        final AtomicInteger peak = new AtomicInteger();
        private final AtomicInteger running = new AtomicInteger();
        private final List<String> transports;
        private final WorkerPool workers;
        private final AccessLog log = AccessLog.builder().directory(directory).open();
        private final Server server;
        private BufferPool buffers;

        Site(int threads, List<String> transports) throws Exception {
            this.transports = transports;
            workers = new WorkerPool("test-neighbours", threads, 0);
            Files.write(Files.createDirectories(directory.resolve("files")).resolve("big"), new byte[SIZE]);
            ServerBuilder builder = Server.builder()
                    .workers(workers)
                    .accessLog(log)
                    .application(this)
                    .handler(FileHandler.of(directory));
            for (String transport : transports) {
                builder.connector(connector(transport, protocols()));
                if (Connectors.contain("ajp")) {
                    Settings open = Connectors.with("ajp", Settings.DEFAULTS, "secretRequired", "false");
                    builder.connector(connector(
                            transport, List.of(Connectors.protocol("ajp").create("http", open))));
                }
            }
            server = builder.start();
        }

        static List<Protocol> protocols() {
            List<Protocol> protocols = new ArrayList<>();
            for (String name : List.of("spdy", "http2")) {
                if (Connectors.contain(name)) {
                    protocols.add(Connectors.protocol(name).create("http", Settings.DEFAULTS));
                }
            }
            protocols.add(new Http1Protocol(Settings.DEFAULTS, "http"));
            return protocols;
        }

        static Connector connector(String transport, List<Protocol> protocols) {
            return Connector.builder()
                    .transport(transport)
                    .address("127.0.0.1")
                    .port(0)
                    .protocols(protocols)
                    .build();
        }

        int port(String transport) {
            return server.ports().get(transports.indexOf(transport) * (Connectors.contain("ajp") ? 2 : 1));
        }

        int ajpPort(String transport) {
            return server.ports().get(transports.indexOf(transport) * 2 + 1);
        }

        @Override
        public String contextPath() {
            return "/app";
        }

        @Override
        public HttpHandler start(ServerContext context) {
            buffers = context.buffers();
            return exchange -> {
                begun.incrementAndGet();
                peak.accumulateAndGet(running.incrementAndGet(), Math::max);
                try {
                    answer(exchange);
                } finally {
                    running.decrementAndGet();
                }
            };
        }

        private static void answer(HttpExchange exchange) throws IOException {
            switch (exchange.request().path().decoded()) {
                case "/app/big" -> {
                    try (ExchangeOutputStream out = ExchangeOutputStream.of(exchange)) {
                        byte[] piece = new byte[32 * 1024];
                        for (int sent = 0; sent < SIZE; sent += piece.length) {
                            out.write(piece);
                        }
                    }
                }
                case "/app/upload" -> {
                    try (ExchangeInputStream in = ExchangeInputStream.of(exchange)) {
                        in.transferTo(OutputStream.nullOutputStream());
                    }
                    Responses.text(exchange, 200, "uploaded");
                }
                default -> Responses.text(exchange, 200, "small");
            }
        }

        /** Until nothing is held of what attackers had. */
        void awaitPeace() {
            Deadline.await("all handlers to have returned", () -> running.get() == 0);
            Deadline.await("all workers to be free", () -> workers.active() == 0 && workers.queued() == 0);
            Deadline.await("all buffers to be back", () -> buffers.outstanding() == 0);
        }

        @Override
        public void stop() {}

        void close() {
            server.stop(Duration.ZERO);
            log.close();
            workers.close();
        }
    }

    /** A proxy of one port of the site, by HTTP/1.1. */
    private static final class Proxy {

        private final ProxyApplication application;
        final Server server;

        Proxy(int backend) throws IOException {
            application = ProxyApplication.to("http://127.0.0.1:" + backend)
                    .with(
                            ProxyOptions.MAX_CONNECTIONS,
                            2 * ATTACKERS); // half of it for one client: the backend bears that
            server = Server.builder()
                    .maxThreads(THREADS)
                    .connector(Site.connector(Transports.byDefault(), Site.protocols()))
                    .application(application)
                    .start();
        }

        void awaitPeace() {
            Deadline.await("all requests to backends to be over", () -> {
                BackendStatus status = application.status().get(0);
                return status.running() == 0 && status.waiting() == 0;
            });
        }

        void close() {
            server.stop(Duration.ZERO);
        }
    }
}
