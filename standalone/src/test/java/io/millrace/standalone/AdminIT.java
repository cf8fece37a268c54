package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.admin.AdminSocket;
import io.millrace.standalone.cli.CommandLine;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.operator.OperatorCommands;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Administration by the socket, the admin port and the commands … */
final class AdminIT {

    private static final String SERVER = """
            <Server><GlobalNamingResources>
              <Resource name="UserDatabase" type="org.apache.catalina.UserDatabase" auth="Container"
                  factory="org.apache.catalina.users.MemoryUserDatabaseFactory" pathname="conf/tomcat-users.xml"/>
            </GlobalNamingResources>
            <Service name="Catalina"><Connector port="0" address="127.0.0.1" maxThreads="2"/>ADMIN
              <Engine name="Catalina" defaultHost="localhost">REALM
                <Host name="localhost" autoDeploy="false"/></Engine></Service></Server>
            """;

    private static final String REALM =
            "<Realm className=\"org.apache.catalina.realm.UserDatabaseRealm\" resourceName=\"UserDatabase\"/>";

    /** Requests that hang, most of them because no thread is left. */
    private static final int HELD = 200;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private Path base = Path.of("");

    private @Nullable Product product;
    private @Nullable HoldingPage page;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(base.resolve("conf/tomcat-users.xml"), """
                <tomcat-users><user username="ada" password="lovelace" roles="manager-script"/>
                  <user username="sam" password="sees" roles="manager-status"/></tomcat-users>
                """);
        page = HoldingPage.in(base);
    }

    @AfterEach
    void stop() throws IOException {
        if (Files.notExists(base.resolve("holding.release"))) {
            Objects.requireNonNull(page).letGo();
        }
        if (product != null) {
            product.close();
        }
    }

    private void configure(String admin, String realm) throws IOException {
        Files.writeString(
                base.resolve("conf/server.xml"), SERVER.replace("ADMIN", admin).replace("REALM", realm));
    }

    private Product start(String realm) throws IOException {
        configure("<Connector role=\"admin\" port=\"0\"/>", realm);
        Product started = Product.serving("start", "--base=" + base);
        product = started;
        return started;
    }

    private String adminPort() {
        String line = Objects.requireNonNull(product).awaitLine("MILLRACE0613");
        return line.replaceAll(".*http://127.0.0.1:(\\d+).*", "$1");
    }

    private HttpResponse<String> ask(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + path))
                .timeout(Duration.ofSeconds(60));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + path))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String[] user(String pair) {
        return new String[] {
            "Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))
        };
    }

    /** What a command printed, with its errors. */
    private record Run(int status, String output) {}

    private Run millrace(String... words) throws Exception {
        StringWriter written = new StringWriter();
        PrintWriter out = new PrintWriter(written, true);
        List<String> all = new ArrayList<>(List.of(words));
        if (!words[0].equals("ps")) {
            all.add("--base=" + base);
        }
        int status;
        try {
            status = new CommandLine("millrace", "", OperatorCommands.all(out, out))
                    .execute(out, out, all.toArray(String[]::new));
        } catch (OperatorException e) {
            out.println("millrace: " + e.getMessage());
            status = 1;
        }
        return new Run(status, written.toString());
    }

    private String done(String... words) throws Exception {
        Run run = millrace(words);
        assertEquals(0, run.status(), run.output());
        return run.output();
    }

    /** The words of the example in a command's help, behind the program's name. */
    private String exampleOf(String command) throws Exception {
        return done("help", command)
                .lines()
                .filter(line -> line.startsWith("Example: millrace "))
                .findFirst()
                .orElseThrow()
                .replace("Example: millrace ", "");
    }

    private Path war(boolean starts) throws IOException {
        Path war = Files.createDirectories(base.resolve("wars")).resolve("shop.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            zip.putNextEntry(new ZipEntry("page.txt"));
            zip.write("one".getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry("session.jsp"));
            zip.write("<%= session.getId() %>".getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry("WEB-INF/web.xml"));
            String listener = starts ? "" : "<listener><listener-class>java.lang.Integer</listener-class></listener>";
            zip.write(("<web-app version=\"4.0\">" + listener + "</web-app>").getBytes(StandardCharsets.UTF_8));
        }
        return war;
    }

    private HttpResponse<String> page(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(
                                URI.create(Objects.requireNonNull(product).url(path)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void answersWhileAllWorkersAreBlocked() throws Exception {
        Product server = start("");
        List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
        for (int i = 0; i < HELD; i++) {
            held.add(client.sendAsync(
                    HttpRequest.newBuilder(URI.create(server.url(HoldingPage.PATH)))
                            .build(),
                    HttpResponse.BodyHandlers.ofString()));
        }
        Deadline.await("two threads inside the page", () -> count(threads(), HoldingPage.FRAME) == 2);
        assertEquals("{\"status\":\"UP\"}\n", ask("/health/live").body());
        assertEquals(200, ask("/health/ready").statusCode(), "for ten seconds it may be busy");
        String shown = done("threads");
        assertTrue(shown.contains("GET " + HoldingPage.PATH + " (http-nio-127.0.0.1-"), shown);
        assertTrue(shown.contains("2 threads run requests"), shown);
        assertEquals("", done("threads", "--stuck", "1h").replaceAll("(?s).*", ""));
        Deadline.await("all requests", () -> active().lines().count() == HELD + 1);
        String connections = active();
        assertTrue(connections.startsWith("ID ") && connections.contains(" /holding "), connections);
        assertEquals(1, done("connections", "--over", "1h").lines().count());
        assertTrue(ask("/connections?json=true").body().contains("\"request\":\"GET " + HoldingPage.PATH + "\""));
        assertEquals(400, ask("/connections?over=soon").statusCode());
        assertEquals(400, ask("/connections?over=999999999d").statusCode());
        Objects.requireNonNull(page).letGo();
        for (CompletableFuture<HttpResponse<String>> each : held) {
            assertTrue(each.get().body().contains(HoldingPage.ANSWER));
        }
        String list = done("list");
        assertTrue(list.startsWith("PATH "), list);
        assertTrue(list.lines().anyMatch(line -> line.matches("/holding +- +running +\\d+ +" + HELD + " .*")), list);
    }

    /** Reloading waits for the request that is held. */
    @Test
    void answersWhileAnApplicationIsChanged() throws Exception {
        Product server = start("");
        CompletableFuture<HttpResponse<String>> held = client.sendAsync(
                HttpRequest.newBuilder(URI.create(server.url(HoldingPage.PATH))).build(),
                HttpResponse.BodyHandlers.ofString());
        Deadline.await("a thread inside the page", () -> count(threads(), HoldingPage.FRAME) == 1);
        CompletableFuture<HttpResponse<String>> reload = client.sendAsync(
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + adminPort() + "/manager/text/reload?path=/holding"))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        for (int i = 0; i < 20; i++) { // some of them while it waits
            assertTrue(threads().contains("GET " + HoldingPage.PATH), "the request is still held");
            assertTrue(ask("/manager/text/list").body().contains("/holding:"));
        }
        assertEquals(405, ask("/manager/text/undeploy?path=/holding").statusCode(), "a program that fetches addresses");
        assertFalse(reload.isDone());
        Objects.requireNonNull(page).letGo();
        assertTrue(held.get().body().contains(HoldingPage.ANSWER));
        assertTrue(reload.get().body().startsWith("OK - Reloaded"), reload.get().body());
    }

    private String active() {
        try {
            return done("connections", "--state", "active");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private String threads() {
        try {
            return ask("/threads").body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static int count(String text, String part) {
        return text.split(part, -1).length - 1;
    }

    @Test
    void deploysAndSteersByCommands() throws Exception {
        Product server = start("");
        String war = war(true).toString();
        assertTrue(done(exampleOf("deploy").replace("shop.war", war).split(" "))
                .matches("uploaded 1 KB, started in .*, ready\n"));
        assertEquals("one", page("/shop/page.txt").body());
        assertEquals(
                new Run(1, "millrace: /shop exists; use --update to replace it, or another --version beside it\n"),
                millrace("deploy", war, "--path", "/shop", "--version", "3"));
        String broken = war(false).toString();
        Run failed = millrace("deploy", broken, "--path", "/shop", "--version", "3", "--update");
        assertEquals(1, failed.status(), failed.output());
        assertTrue(
                failed.output().matches("millrace: uploaded 1 KB, failed: .*Integer.*The version before stays\n"),
                failed.output());
        assertEquals("one", page("/shop/page.txt").body());
        page("/shop/session.jsp");
        assertTrue(done("sessions", "/shop", "--version", "3").contains("under 1m          1\n"));
        assertTrue(done("pause", "/shop", "--version", "3").startsWith("paused /shop version 3"));
        assertEquals(404, page("/shop/page.txt").statusCode());
        assertEquals("resumed /shop version 3\n", done("resume", "/shop", "--version", "3"));
        assertTrue(done("reload", "/shop", "--version", "3").startsWith("reloaded /shop version 3 in "));
        assertEquals("undeployed /shop version 3\n", done("undeploy", "/shop", "--version", "3", "--grace", "5s"));
        assertEquals(
                new Run(1, "millrace: there is no application /shop; `list` shows them\n"),
                millrace("reload", "/shop"));
        assertEquals(
                new Run(1, "millrace: \"shop\" is no context path: expected one such as /shop\n"),
                millrace("reload", "shop"));
        assertTrue(server.has("Command undeploy for [/shop] by user " + System.getProperty("user.name")
                + " from the admin socket: undeployed"));
        assertEquals("read the certificates of all connectors again\n", done("tls", "reload"));
        assertEquals("io.millrace.x logs from debug for 10m 0s\n", done("log", "io.millrace.x=debug", "--for", "10m"));
        assertEquals(1, millrace("log", "io.millrace.x=loud").status());
        assertTrue(done("jfr", "start", "--for", "1s").startsWith("recording for 1.0s into " + base));
        assertTrue(done("health").startsWith("{\"status\":\"UP\""));
        assertEquals(1, done("leaks", "/nothing").lines().count());
        String ps = done("ps")
                .lines()
                .filter(line -> line.contains(base.toString()))
                .findFirst()
                .orElse("-");
        assertTrue(ps.equals("-") || ps.contains(String.valueOf(server.ports().get(0))), ps);
    }

    @Test
    void showsWhatHoldsTheClassesOfAStoppedApplication() throws Exception {
        Product server = start("");
        Path end = base.resolve("timer.end");
        Path war = base.resolve("timer.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            zip.putNextEntry(new ZipEntry("page.jsp"));
            zip.write(
                    ("<% java.util.Timer timer = new java.util.Timer(\"orders\"); timer.schedule(new java.util.TimerTask() {"
                                    + " public void run() { if (new java.io.File(\"" + end
                                    + "\").exists()) { timer.cancel(); } }"
                                    + "}, 0, 20); %>started")
                            .getBytes(StandardCharsets.UTF_8));
        }
        assertEquals("no class of a stopped application is in memory\n", done("leaks", "/timer", "--dump"));
        try {
            done("deploy", war.toString(), "--version", "7", "--path", "/timer");
            assertEquals("started", page("/timer/page.jsp").body());
            done("undeploy", "/timer", "--version", "7");
            assertTrue(done("leaks", "/timer").contains("/timer##7"));
            String held = done("leaks", "/timer", "--dump");
            assertTrue(held.startsWith("/timer##7 is held by\n    "), held);
            assertTrue(held.contains("\"orders\""), held);
            assertTrue(
                    held.endsWith(" -> io.millrace.servlet.deploy.loader.WebAppClassLoader \"timer##7.war\"\n"), held);
            assertTrue(done("leaks", "/timer", "--dump", "--json")
                    .startsWith("[{\"application\":\"/timer##7\",\"path\":[\""));
            Path file = AdminSocket.usual(base).resolveSibling("leak.hprof");
            assertFalse(Files.exists(file));
            Files.createDirectories(file.resolve("inside")); // so that it cannot be written
            Run failed = millrace("leaks", "/timer", "--dump");
            assertEquals(1, failed.status(), failed.output());
            assertTrue(
                    failed.output().startsWith("millrace: the heap dump would be written into " + file.getParent()),
                    failed.output());
            assertEquals(409, post("/manager/dump").statusCode(), "at a port nobody would delete it");
        } finally {
            Files.createFile(end);
        }
        assertTrue(server.has("Command dump for [-] by user "));
    }

    @Test
    void deploysOnSeveralServersAndStopsAtTheFirstFailure() throws Exception {
        start("");
        String node = "127.0.0.1:" + adminPort();
        String war = war(true).toString();
        Run both = millrace("deploy", war, "--path", "/a", "--to", node + "," + node, "--rolling", "--drain", "1ms");
        assertEquals(0, both.status(), both.output());
        assertEquals(2, count(both.output(), ", ready\n"), both.output());
        Run broken = millrace(
                "deploy",
                war(false).toString(),
                "--path",
                "/a",
                "--to",
                node + ",127.0.0.1:1",
                "--rolling",
                "--drain",
                "1ms");
        assertEquals(1, broken.status());
        assertTrue(broken.output().contains("  uploaded 1 KB, failed: "), broken.output());
        assertTrue(broken.output().endsWith("stopped at " + node + "; no server has it\n"), broken.output());
        assertFalse(broken.output().contains("127.0.0.1:1 "), broken.output());
    }

    /** With a certificate that has to be right. */
    @Test
    void isDeployedToByTls() throws Exception {
        CertificateAuthority authority = new CertificateAuthority(base.resolve("tls"));
        authority.makeEc("server", "localhost", "localhost");
        configure("""
                <Connector role="admin" port="0" SSLEnabled="true"><SSLHostConfig>
                  <Certificate certificateFile="tls/server.pem" certificateKeyFile="tls/server.key"/></SSLHostConfig></Connector>
                """, "");
        Product started = Product.serving("start", "--base=" + base);
        product = started;
        String port = started.awaitLine("MILLRACE0613").replaceAll(".*https?://127.0.0.1:(\\d+).*", "$1");
        String war = war(true).toString();
        String node = "localhost:" + port;
        String ca = authority.root().toString();
        Run done = millrace(
                "deploy", war, "--path", "/a", "--to", "https://" + node, "--rolling", "--drain", "1ms", "--ca", ca);
        assertEquals(0, done.status(), done.output());
        assertTrue(done.output().contains("https://" + node + "  uploaded 1 KB, started in "), done.output());
        assertRefused("its certificate is not trusted", war, "--to", "https://" + node);
        assertRefused("TLS failed: No subject alternative names", war, "--to", "https://127.0.0.1:" + port, "--ca", ca);
        assertRefused("This port speaks TLS: use https://", war, "--to", node);
        String plain = "localhost:" + started.ports().get(0);
        assertRefused("it does not speak TLS there; write HOST:PORT without https://", war, "--to", "https://" + plain);
        assertRefused("there is no such file", war, "--to", "https://" + node, "--ca", "none.pem");
        assertRefused(
                "has no certificate",
                war,
                "--to",
                "https://" + node,
                "--ca",
                authority.key("server").toString());
        assertEquals(2, millrace("deploy", war, "--to", node, "--ca", ca).status());
        assertEquals(2, millrace("deploy", war, "--ca", ca).status());
    }

    private void assertRefused(String why, String war, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("deploy", war, "--path", "/b"));
        words.addAll(List.of(options));
        Run run = millrace(words.toArray(String[]::new));
        assertEquals(1, run.status(), run.output());
        assertTrue(run.output().contains(why), run.output());
    }

    @Test
    void asksForARoleWhereThereIsARealm() throws Exception {
        start(REALM);
        assertEquals(200, ask("/health/live").statusCode());
        assertEquals(200, ask("/health/ready").statusCode());
        for (String path : List.of("/connections", "/threads", "/manager/text/list", "/manager/list", "/x")) {
            assertEquals(401, ask(path).statusCode(), path);
            assertEquals(401, ask(path, user("eve:wrong")).statusCode(), path);
        }
        assertEquals(200, ask("/connections", user("sam:sees")).statusCode());
        assertEquals(403, ask("/manager/list", user("sam:sees")).statusCode());
        assertEquals(404, ask("/x", user("sam:sees")).statusCode());
        assertTrue(ask("/manager/text/list", user("ada:lovelace")).body().startsWith("OK - Listed applications"));
        assertTrue(done("list").startsWith("PATH"), "the socket is for the server's user only");
    }

    /** The Realm itself locks nobody out. */
    @Test
    void isNotGuessedAtWithoutEnd() throws Exception {
        start(REALM);
        for (String malformed : List.of("ada\u0000:lovelace", "ada:lovelace\n", "\u0085ada:lovelace", "ada")) {
            assertEquals(401, ask("/connections", user(malformed)).statusCode(), "no credentials (RFC 7617, 2)");
        }
        assertEquals(200, ask("/connections", user("ada:lovelace")).statusCode());
        for (int i = 0; i < 5; i++) {
            assertEquals(401, ask("/connections", user("ada:guess" + i)).statusCode());
        }
        assertEquals(
                401, ask("/connections", user("ada:lovelace")).statusCode(), "the password is no longer asked for");
        assertEquals(200, ask("/connections", user("sam:sees")).statusCode());
        assertTrue(Objects.requireNonNull(product).has("MILLRACE3403"));
        assertTrue(done("list").startsWith("PATH"), "the socket is still open to the server's user");
    }

    @Test
    void isNotForPagesOfABrowser() throws Exception {
        start("");
        assertEquals(200, ask("/connections").statusCode());
        assertEquals(403, ask("/connections", "Origin", "http://evil.example").statusCode());
        assertEquals(403, ask("/connections", "Accept-Language", "en").statusCode(), "an image of a page without TLS");
        assertEquals(
                403, ask("/manager/text/list", "Sec-Fetch-Site", "cross-site").statusCode());
        String answer = new String(answerTo("evil.example"), StandardCharsets.UTF_8);
        assertTrue(answer.startsWith("HTTP/1.1 403"), answer);
    }

    /** A request with a name that a page could have chosen. */
    private byte[] answerTo(String host) throws IOException {
        try (java.net.Socket socket =
                new java.net.Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(adminPort()))) {
            socket.getOutputStream()
                    .write(("GET /connections HTTP/1.0\r\nHost: " + host + "\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            return socket.getInputStream().readAllBytes();
        }
    }

    @Test
    void saysThatNoServerIsThere() throws Exception {
        Run run = millrace("list");
        assertEquals(
                new Run(1, "millrace: no server uses " + base + " (is it running? another base directory?)\n"), run);
        Run misspelt = millrace("relod", "/shop");
        assertEquals(2, misspelt.status());
        assertTrue(misspelt.output().contains("did you mean 'reload'"), misspelt.output());
    }

    @Test
    void opensItsSocketForItsUserOnlyAndReplacesAStaleOne() throws Exception {
        Path socket = AdminSocket.usual(base);
        Files.createDirectories(socket.resolveSibling("."));
        try (java.nio.channels.ServerSocketChannel stale =
                java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
            stale.bind(java.net.UnixDomainSocketAddress.of(socket));
        }
        start("");
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
        assertTrue(done("health").contains("UP"));
        try (Product second = Product.launch("start", "--base=" + base)) {
            assertEquals(1, second.exitStatus(), second.output());
            assertTrue(
                    second.has("another server uses this base directory, process "
                            + ProcessHandle.current().pid() + "; stop it"),
                    second.output());
        }
        assertTrue(done("health").contains("UP"), "the first one still has its socket");
        Objects.requireNonNull(product).close();
        assertFalse(Files.exists(socket));
    }

    @Test
    void hasItsSocketElsewhereIfThePathIsTooLong() throws Exception {
        base = Files.createDirectories(base.resolve("d".repeat(60)).resolve("e".repeat(60)));
        prepare();
        start("");
        assertTrue(done("health").contains("UP"));
        Path where = Path.of(Files.readString(AdminSocket.usual(base).resolveSibling("where"))
                .strip());
        assertEquals(AdminSocket.elsewhere(base), where);
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(where.getParent())));
        Objects.requireNonNull(product).close();
        assertFalse(Files.exists(where));
    }

    @Test
    void refusesAnAdminPortThatOthersCouldReach() throws Exception {
        for (Map.Entry<String, String> wrong : Map.of(
                        "<Connector role=\"admin\" port=\"0\" address=\"0.0.0.0\"/>", "add allow=",
                        "<Connector role=\"admin\" port=\"0\" address=\"0.0.0.0\" allow=\"10.0.0.0/8\"/>",
                                "add a Realm",
                        "<Connector role=\"admin\" port=\"0\"/><Connector role=\"admin\" port=\"0\"/>",
                                "a second admin port",
                        "<Connector role=\"admin\" unixDomainSocketPath=\"run/a.sock\"/>",
                                "unixDomainSocketPath is not possible",
                        "<Connector role=\"admin\" port=\"0\" useInheritedChannel=\"true\"/>",
                                "useInheritedChannel is not possible",
                        "<Connector role=\"admin\" port=\"0\" proxyProtocol=\"required\" proxyProtocolTrusted=\"127.0.0.1\"/>",
                                "proxyProtocol is not possible")
                .entrySet()) {
            configure(wrong.getKey(), "");
            for (String command : List.of("check", "start")) {
                try (Product run = Product.launch(command, "--base=" + base)) {
                    assertEquals(1, run.exitStatus(), run.output());
                    assertTrue(run.has(wrong.getValue()), run.output());
                }
            }
        }
        configure("", "");
        for (Map.Entry<String, String> wrong : Map.of(
                        "0.0.0.0:0", "others than this machine could reach it", "::1", "in brackets: [::1]:8990")
                .entrySet()) {
            try (Product run = Product.launch("start", "--base=" + base, "--admin=" + wrong.getKey())) {
                assertEquals(1, run.exitStatus(), run.output());
                assertTrue(run.has(wrong.getValue()), run.output());
            }
        }
    }
}
