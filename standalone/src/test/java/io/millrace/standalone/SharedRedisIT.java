package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cluster.redis.LossyRelay;
import io.millrace.cluster.redis.RedisServer;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers behind a proxy, which share their sessions in Redis … */
final class SharedRedisIT {

    private static final String COUNT = "<%%@ page %s %%><%% Integer seen = (Integer) session.getAttribute(\"seen\");"
            + " session.setAttribute(\"seen\", seen == null ? 1 : seen + 1); %%><%%= session.getAttribute(\"seen\") %%>";

    private static final int CLIENTS = 8;
    private static final int PERCENT = 100;

    /** Of a page without a session: below it, the scheduler of a busy machine decides. */
    private static final long LEAST_MILLIS = 250;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private Path directory = Path.of("");

    private @Nullable RedisServer redis;
    private @Nullable LossyRelay network;

    @BeforeEach
    void start() throws IOException {
        redis = open(RedisServer.start("--appendonly", "yes", "--appendfsync", "always"));
        network = open(new LossyRelay(redis().port()));
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private <T extends AutoCloseable> T open(T part) {
        opened.add(part);
        return part;
    }

    private RedisServer redis() {
        if (redis == null) {
            throw new AssertionError("not started");
        }
        return redis;
    }

    private LossyRelay network() {
        if (network == null) {
            throw new AssertionError("not started");
        }
        return network;
    }

    private Path base(String name, String cluster) throws IOException {
        Path base = directory.resolve(name);
        file(base.resolve("conf/server.xml"), """
                <Server port="-1"><Service name="Catalina"><Connector port="0" address="127.0.0.1" maxThreads="40"/>
                  <Engine name="Catalina" defaultHost="localhost"><Host name="localhost">
                    %s
                  </Host></Engine></Service></Server>
                """.formatted(cluster));
        Path shop = base.resolve("webapps/shop");
        file(shop.resolve("WEB-INF/web.xml"), """
                <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0"><distributable/></web-app>
                """);
        file(shop.resolve("count.jsp"), COUNT.formatted(""));
        file(shop.resolve("plain.jsp"), "<%@ page session=\"false\" %>plain");
        file(shop.resolve("end.jsp"), "<% session.invalidate(); %>bye");
        // ends the session that it has read when a file is there
        file(shop.resolve("late-end.jsp"), """
                <%%@ page import="java.nio.file.*" %%><%% session.getAttribute("seen");
                Files.createFile(Path.of("%s")); while (Files.notExists(Path.of("%s"))) { Thread.sleep(5); }
                session.invalidate(); %%>bye
                """.formatted(directory.resolve("read"), directory.resolve("go")));
        file(base.resolve("webapps/alone/count.jsp"), COUNT.formatted(""));
        return base;
    }

    private static void file(Path file, String content) throws IOException {
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    private Path sharing(String name) throws IOException {
        return base(
                name,
                "<Cluster className=\"io.millrace.Redis\" uri=\"redis://127.0.0.1:"
                        + network().port() + "\"/>");
    }

    private Product node(String name) throws IOException {
        Product node = open(Product.serving("start", "--base=" + sharing(name)));
        for (String page : new String[] {"/shop/count.jsp", "/shop/plain.jsp"}) {
            assertEquals(200, get(node.url(page), "").statusCode(), "compiled");
        }
        return node;
    }

    private Product proxy(Product... nodes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("proxy", "--port=0"));
        Arrays.stream(nodes)
                .forEach(
                        node -> arguments.add("http://127.0.0.1:" + node.ports().get(0)));
        return open(Product.serving(arguments.toArray(String[]::new)));
    }

    private HttpResponse<String> get(String url, String cookie) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30));
        if (!cookie.isEmpty()) {
            request.header("Cookie", cookie);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String cookie(HttpResponse<String> response) {
        String field = response.headers().firstValue("Set-Cookie").orElseThrow();
        return field.substring(0, field.indexOf(';'));
    }

    @Test
    void haveOneSessionAndOneLogOut() throws IOException {
        Product first = node("first");
        Product second = node("second");
        HttpResponse<String> begun = get(first.url("/shop/count.jsp"), "");
        String session = cookie(begun);
        assertEquals("1", begun.body().strip());
        assertEquals("2", get(second.url("/shop/count.jsp"), session).body().strip());
        assertEquals("3", get(first.url("/shop/count.jsp"), session).body().strip());
        assertEquals(200, get(second.url("/shop/end.jsp"), session).statusCode());
        assertEquals("1", get(first.url("/shop/count.jsp"), session).body().strip(), "another one");
        String alone = cookie(get(first.url("/alone/count.jsp"), ""));
        assertEquals("1", get(second.url("/alone/count.jsp"), alone).body().strip(), "not distributable");
        assertTrue(first.has("MILLRACE4859"));
    }

    /** Redis fails when the session has been read, and before it ends. */
    @Test
    void forgetNoLogOutDuringAnOutage() throws Exception {
        Product first = node("first");
        Product second = node("second");
        String session = cookie(get(first.url("/shop/count.jsp"), ""));
        assertEquals("2", get(second.url("/shop/count.jsp"), session).body().strip());
        CompletableFuture<HttpResponse<String>> end = client.sendAsync(
                HttpRequest.newBuilder(URI.create(first.url("/shop/late-end.jsp")))
                        .header("Cookie", session)
                        .timeout(Duration.ofMinutes(1))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        Deadline.await("the page to have read its session", () -> Files.exists(directory.resolve("read")));
        redis().kill();
        Files.createFile(directory.resolve("go"));
        assertEquals(503, end.get(1, TimeUnit.MINUTES).statusCode());
        assertEquals(503, get(first.url("/shop/count.jsp"), session).statusCode());
        redis().restart();
        Deadline.await("no such session on both", () -> isNew(first, session) && isNew(second, session));
    }

    private boolean isNew(Product node, String session) {
        try {
            HttpResponse<String> response = get(node.url("/shop/count.jsp"), session);
            return response.statusCode() == 200 && "1".equals(response.body().strip());
        } catch (IOException notYet) {
            return false;
        }
    }

    @Test
    void loseNoChangeThatAClientWasToldOf() throws Exception {
        try (Load load = new Load(proxy(node("first"), node("second")))) {
            load.run(Duration.ofSeconds(1));
            long usual = load.plainP99();
            network().cut(true);
            load.run(Duration.ofSeconds(2));
            network().cut(false);
            load.awaitSessions();
            redis().restart();
            load.awaitSessions();
            load.run(Duration.ofSeconds(1));
            assertEquals(List.of(), List.copyOf(load.violations));
            long p99 = load.plainP99();
            assertTrue(
                    p99 <= Math.max(2 * usual, LEAST_MILLIS),
                    "p99 of a page without a session: " + p99 + " ms, usually " + usual);
        }
    }

    @Tag("soak")
    @Test
    void surviveBadNetworksAndLongOutagesAndTheDeathOfANode() throws Exception {
        List<Product> nodes = new ArrayList<>();
        for (String name : List.of("first", "second", "third")) {
            nodes.add(open(Product.process().serving("start", "--base=" + sharing(name))));
        }
        try (Load load = new Load(proxy(nodes.toArray(Product[]::new)))) {
            load.awaitSessions();
            load.run(Duration.ofSeconds(10));
            long usual = load.plainP99();
            network().delay(10, 5);
            load.run(Duration.ofSeconds(20));
            network().delay(0, 0);
            redis().signal("STOP");
            load.run(Duration.ofSeconds(30));
            redis().signal("CONT");
            load.awaitSessions();
            redis().kill();
            load.run(Duration.ofSeconds(30));
            long outage = load.plainP99();
            redis().restart();
            load.awaitSessions();
            network().cut(true);
            load.run(Duration.ofSeconds(10));
            network().cut(false);
            load.awaitSessions();
            ProcessHandle.of(nodes.get(0).pid()).orElseThrow().destroyForcibly();
            load.run(Duration.ofSeconds(10));
            load.awaitSessions();
            assertEquals(List.of(), List.copyOf(load.violations));
            assertTrue(
                    outage <= Math.max(2 * usual, LEAST_MILLIS),
                    "p99 of a page without a session: " + outage + " ms, usually " + usual);
        }
    }

    /** Clients that each count in a session of their own, and remember what they were told; and one without a session. */
    private final class Load implements AutoCloseable {

        private final Queue<String> violations = new ConcurrentLinkedQueue<>();
        private final Queue<Long> plainMillis = new ConcurrentLinkedQueue<>();
        private final AtomicLong answers = new AtomicLong();
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean ends;

        Load(Product proxy) {
            for (int i = 0; i < CLIENTS; i++) {
                threads.add(new Thread(() -> count(proxy.url("/shop/count.jsp")), "counting-" + i));
            }
            threads.add(new Thread(() -> look(proxy.url("/shop/plain.jsp")), "looking"));
            threads.forEach(Thread::start);
        }

        /** What was answered must have been kept; what was not may have been counted, and repeated by the proxy. */
        private void count(String url) {
            String session = "";
            int told = 0;
            int unknown = 0;
            while (!ends) {
                try {
                    HttpResponse<String> response = get(url, session);
                    if (response.statusCode() == 200) {
                        int now = Integer.parseInt(response.body().strip());
                        if (now <= told) {
                            violations.add(
                                    "told " + told + ", then " + now + " after " + unknown + " without an answer");
                        }
                        session = session.isEmpty() ? cookie(response) : session;
                        told = now;
                        unknown = 0;
                        answers.incrementAndGet();
                    } else {
                        unknown++;
                    }
                } catch (IOException cutOff) {
                    unknown++;
                }
            }
        }

        private void look(String url) {
            while (!ends) {
                long began = System.nanoTime();
                try {
                    if (get(url, "").statusCode() != 200) {
                        violations.add("a page without a session was not served");
                    }
                } catch (IOException e) {
                    // the node that served it was killed
                }
                plainMillis.add((System.nanoTime() - began) / 1_000_000);
            }
        }

        void run(Duration time) {
            Deadline.pass(time);
        }

        void awaitSessions() {
            long before = answers.get();
            Deadline.await("sessions are served again", Duration.ofSeconds(60), () -> answers.get() > before + CLIENTS);
        }

        /** Of the pages since the last call. */
        long plainP99() {
            List<Long> sorted = new ArrayList<>();
            for (Long next = plainMillis.poll(); next != null; next = plainMillis.poll()) {
                sorted.add(next);
            }
            sorted.sort(null);
            return sorted.get((sorted.size() - 1) * (PERCENT - 1) / PERCENT);
        }

        @Override
        public void close() {
            ends = true;
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Test
    void checkTheConnectionOnlyWhenAsked() throws Exception {
        Socket silent = open(new Socket());
        silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)); // nobody listens there, nor can
        int port = silent.getLocalPort();
        Path base =
                base("checked", "<Cluster className=\"io.millrace.Redis\" uri=\"redis://127.0.0.1:" + port + "\"/>");
        try (Product check = Product.launch("check", "--base=" + base)) {
            assertEquals(0, check.exitStatus());
            assertTrue(check.has("no errors, no warnings"), check.output());
        }
        try (Product check = Product.launch("check", "--connect", "--base=" + base)) {
            assertEquals(0, check.exitStatus());
            assertTrue(check.has("cannot be reached"), check.output());
        }
        Path typo = base("typo", "<Cluster className=\"io.millrace.Redis\" uri=\"redsi://127.0.0.1\"/>");
        try (Product check = Product.launch("check", "--base=" + typo)) {
            assertEquals(1, check.exitStatus());
            assertTrue(check.has("unknown scheme \"redsi\""), check.output());
        }
    }
}
