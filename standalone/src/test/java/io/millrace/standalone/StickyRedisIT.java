package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cluster.redis.RedisServer;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers behind a proxy that sends each session to its server … */
@Timeout(300)
final class StickyRedisIT {

    private static final String COUNT = "<% Integer seen = (Integer) session.getAttribute(\"seen\");"
            + " session.setAttribute(\"seen\", seen == null ? 1 : seen + 1); %><%= session.getAttribute(\"seen\") %>";

    private static final int CLIENTS = 4;
    private static final int OK = 200;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private Path directory = Path.of("");

    private String redis = "";

    @BeforeEach
    void start() throws IOException {
        redis = open(RedisServer.start()).uri();
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

    private static void file(Path file, String content) throws IOException {
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    private static void application(Path root, String distributable) throws IOException {
        file(root.resolve("WEB-INF/web.xml"), """
                <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0">%s
                  <security-constraint>
                    <web-resource-collection>
                      <web-resource-name>x</web-resource-name><url-pattern>/private.jsp</url-pattern>
                    </web-resource-collection>
                    <auth-constraint><role-name>**</role-name></auth-constraint>
                  </security-constraint>
                  <login-config><auth-method>BASIC</auth-method></login-config>
                </web-app>
                """.formatted(distributable));
        file(root.resolve("count.jsp"), COUNT);
        file(root.resolve("out.jsp"), "<% request.logout(); %>bye");
        file(root.resolve("end.jsp"), "<% session.invalidate(); %>bye");
        file(root.resolve("private.jsp"), "<%@ page session=\"false\" %>welcome");
    }

    private Path base(String name, String connectors, String mode, String route) throws IOException {
        Path base = directory.resolve(name);
        file(base.resolve("conf/server.xml"), """
                <Server port="-1"><Service name="Catalina">%s
                  <Engine name="Catalina" defaultHost="localhost" %s>
                    <Valve className="org.apache.catalina.ha.authenticator.ClusterSingleSignOn"/>
                    <Realm className="org.apache.catalina.realm.LockOutRealm">
                      <Realm className="org.apache.catalina.realm.MemoryRealm" pathname="conf/users.xml"/>
                    </Realm>
                    <Host name="localhost"><Cluster className="io.millrace.Redis" uri="%s" mode="%s"/></Host>
                  </Engine></Service></Server>
                """.formatted(connectors, route, redis, mode));
        file(
                base.resolve("conf/users.xml"),
                "<tomcat-users><user name='ada' password='right' roles='r'/></tomcat-users>");
        application(base.resolve("webapps/shop"), "<distributable/>");
        application(base.resolve("webapps/desk"), "");
        return base;
    }

    private static String http(int port) {
        return "<Connector port='" + port + "' address='127.0.0.1' maxThreads='40'/>";
    }

    private Path node(String name, int port) throws IOException {
        return base(name, http(port), "sticky", "jvmRoute='" + name + "'");
    }

    private static String backend(String name, int port) {
        return "http://127.0.0.1:" + port + "?route=" + name;
    }

    private HttpResponse<String> get(String url, String field, String value) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30));
        if (!value.isEmpty()) {
            request.header(field, value);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private HttpResponse<String> get(String url, String cookie) throws IOException {
        return get(url, "Cookie", cookie);
    }

    private static String cookie(HttpResponse<String> response, String otherwise) {
        return response.headers()
                .firstValue("Set-Cookie")
                .map(field -> field.substring(0, field.indexOf(';')))
                .orElse(otherwise);
    }

    @Test
    void restartOneAfterTheOtherWithoutAnErrorAndWithoutALogOut() throws Exception {
        int[] ports = {LocalPort.free(), LocalPort.free()};
        String[] names = {"one", "two"};
        Product[] nodes = new Product[2];
        for (int i = 0; i < 2; i++) {
            nodes[i] = open(Product.serving("start", "--base=" + node(names[i], ports[i])));
            assertEquals(OK, get(nodes[i].url("/shop/count.jsp"), "").statusCode(), "compiled");
        }
        Product proxy = open(Product.serving(
                "proxy", "--port=0", "--sticky=JSESSIONID", backend("one", ports[0]), backend("two", ports[1])));
        try (Load load = new Load(proxy)) {
            for (int i = 0; i < 2; i++) {
                load.awaitAnswers();
                assertEquals(0, nodes[i].terminate().exitStatus(), nodes[i].output());
                load.awaitAnswers();
                nodes[i] = open(Product.serving("start", "--base=" + directory.resolve(names[i])));
            }
            for (String name : names) {
                load.awaitAnswers();
                deploy("--base=" + directory.resolve(name));
            }
            load.awaitAnswers();
            assertEquals(List.of(), List.copyOf(load.violations));
        }
        endOnBoth(nodes[0], nodes[1]);
        signOnOnBoth(nodes[0], nodes[1]);
        lockOutOnBoth(nodes[0], nodes[1]);
    }

    /** A new version of the application, which each server starts in the place of the old one. */
    private void deploy(String... to) throws Exception {
        List<String> words = new ArrayList<>(List.of("deploy", war().toString(), "--path", "/shop", "--update"));
        words.addAll(List.of(to));
        try (Product deploy = Product.launch(words.toArray(String[]::new))) {
            assertEquals(0, deploy.exitStatus(), deploy.output());
        }
    }

    private Path war() throws IOException {
        Path war = directory.resolve("shop.war");
        Path root = directory.resolve("new");
        application(root, "<distributable/>");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(war))) {
            for (String name : List.of("WEB-INF/web.xml", "count.jsp", "end.jsp", "out.jsp", "private.jsp")) {
                out.putNextEntry(new ZipEntry(name));
                Files.copy(root.resolve(name), out);
            }
        }
        return war;
    }

    @Tag("soak")
    @Test
    void takeANewVersionOneAfterTheOtherWithoutAnErrorAndWithoutALogOut() throws Exception {
        List<String> arguments = new ArrayList<>(List.of("proxy", "--port=0", "--sticky=JSESSIONID"));
        List<String> doors = new ArrayList<>();
        for (String name : List.of("one", "two", "three")) {
            int port = LocalPort.free();
            int door = LocalPort.free();
            Path base = node(name, port);
            Path config = base.resolve("conf/server.xml");
            file(
                    config,
                    withoutUsers(Files.readString(config))
                            .replace(
                                    "<Engine",
                                    "<Connector role='admin' port='" + door + "' address='127.0.0.1'/><Engine"));
            Product node = open(Product.serving("start", "--base=" + base));
            assertEquals(
                    OK, get("http://127.0.0.1:" + port + "/shop/count.jsp", "").statusCode(), node.output());
            arguments.add(backend(name, port));
            doors.add("127.0.0.1:" + door);
        }
        Product proxy = open(Product.serving(arguments.toArray(String[]::new)));
        try (Load load = new Load(proxy)) {
            load.awaitAnswers();
            deploy("--to", String.join(",", doors), "--rolling", "--drain", "1s");
            load.awaitAnswers();
            assertEquals(List.of(), List.copyOf(load.violations));
        }
    }

    /** The admin port would ask for one of them. */
    private static String withoutUsers(String config) {
        return config.replaceAll("(?s)<Realm.*</Realm>", "");
    }

    private void endOnBoth(Product one, Product two) throws IOException {
        String begun = cookie(get(one.url("/shop/count.jsp"), ""), "");
        assertTrue(begun.endsWith(".one"), begun);
        assertEquals("2", get(one.url("/shop/count.jsp"), begun).body().strip());
        Deadline.await("it is copied", () -> {
            try {
                return cookie(get(two.url("/shop/count.jsp"), begun), "").equals(begun.replace(".one", ".two"));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertEquals(
                OK, get(two.url("/shop/end.jsp"), begun.replace(".one", ".two")).statusCode());
        assertEquals("1", get(one.url("/shop/count.jsp"), begun).body().strip(), "another one");
    }

    private void signOnOnBoth(Product one, Product two) throws IOException {
        String shop = cookies(loggedIn(one, "right"));
        String signOn = shop.replaceFirst(".*(JSESSIONIDSSO=[\\w-]+).*", "$1");
        HttpResponse<String> entered = get(two.url("/desk/private.jsp"), signOn);
        assertEquals("welcome", entered.body().strip(), "without a challenge");
        assertEquals("welcome", get(one.url("/shop/private.jsp"), shop).body().strip());
        String desk = signOn + "; " + cookies(entered);
        assertEquals("bye", get(two.url("/desk/out.jsp"), desk).body().strip());
        assertEquals(401, get(two.url("/desk/private.jsp"), desk).statusCode());
        Deadline.await("the log-out is one on both", () -> {
            try {
                return get(one.url("/shop/private.jsp"), shop).statusCode() == 401;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static String cookies(HttpResponse<String> response) {
        return response.headers().allValues("Set-Cookie").stream()
                .map(field -> field.substring(0, field.indexOf(';')))
                .collect(Collectors.joining("; "));
    }

    private void lockOutOnBoth(Product one, Product two) throws IOException {
        assertEquals(OK, login(two, "right"));
        for (int i = 0; i < 5; i++) {
            assertEquals(401, login(i % 2 == 0 ? one : two, "wrong" + i));
        }
        assertEquals(401, login(one, "right"));
        assertEquals(401, login(two, "right"));
    }

    private int login(Product node, String password) throws IOException {
        return loggedIn(node, password).statusCode();
    }

    private HttpResponse<String> loggedIn(Product node, String password) throws IOException {
        String credentials = Base64.getEncoder().encodeToString(("ada:" + password).getBytes(StandardCharsets.UTF_8));
        return get(node.url("/shop/private.jsp"), "Authorization", "Basic " + credentials);
    }

    @Test
    void needARouteAndAModeThatExists() throws Exception {
        Path without = base("without", http(0), "sticky", "");
        Path typo = base("typo", http(0), "stiky", "jvmRoute='one'");
        for (String command : List.of("check", "start")) {
            try (Product refused = Product.launch(command, "--base=" + without)) {
                assertEquals(1, refused.exitStatus(), refused.output());
                assertTrue(refused.has("jvmRoute=\"node1\""), refused.output());
            }
            try (Product refused = Product.launch(command, "--base=" + typo)) {
                assertEquals(1, refused.exitStatus(), refused.output());
                assertTrue(refused.has("stiky"), refused.output());
            }
        }
    }

    /** Clients that each count in a session of their own. */
    private final class Load implements AutoCloseable {

        private final Queue<String> violations = new ConcurrentLinkedQueue<>();
        private final AtomicLong answers = new AtomicLong();
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean ends;

        Load(Product proxy) {
            for (int i = 0; i < CLIENTS; i++) {
                threads.add(new Thread(() -> count(proxy.url("/shop/count.jsp")), "counting-" + i));
            }
            threads.forEach(Thread::start);
        }

        private void count(String url) {
            String session = "";
            int told = 0;
            while (!ends) {
                try {
                    HttpResponse<String> response = get(url, session);
                    int now = response.statusCode() == OK
                            ? Integer.parseInt(response.body().strip())
                            : -response.statusCode();
                    if (now < 1 || now == 1 && told > 1) {
                        violations.add("after " + told + " in " + session + ": " + now + " in "
                                + cookie(response, "the same") + ", " + answers + " answers");
                    }
                    session = cookie(response, session);
                    told = now;
                    answers.incrementAndGet();
                    Deadline.pass(Duration.ofMillis(4));
                } catch (IOException e) {
                    violations.add("after " + told + ": " + e);
                }
            }
        }

        void awaitAnswers() {
            long before = answers.get();
            Deadline.await(
                    "clients are answered",
                    Duration.ofSeconds(60),
                    () -> answers.get() > before + 50 * CLIENTS || !violations.isEmpty());
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
}
