package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.handler.Responses;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.PrometheusFormat;
import io.millrace.testkit.TestTls;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of the product … */
@Timeout(60)
final class MetricsIT {

    private static final String SERVER = """
            <Server><Service name="Catalina">
              <Executor name="shared" maxThreads="2"/>
              <Connector port="0" address="127.0.0.1" executor="shared" maxHttpHeaderSize="4096"/>
              <Connector port="0" address="127.0.0.1" executor="shared" SSLEnabled="true" inlineShort="true">
                <UpgradeProtocol className="org.apache.coyote.http2.Http2Protocol"/>
                <SSLHostConfig>
                  <Certificate certificateKeystoreFile="keys.p12" certificateKeystorePassword="PASSWORD"/>
                </SSLHostConfig>
              </Connector>
              <Connector role="admin" port="0"/>
              <Engine name="Catalina" defaultHost="localhost">
                <Host name="localhost">
                  <Valve className="org.apache.catalina.valves.AccessLogValve" directory="logs"/>
                  <Proxy path="/behind" backends="http://127.0.0.1:BACKEND"/>
                </Host>
              </Engine>
            </Service></Server>
            """;

    /** An application with all that is counted of some only: logins, a store of sessions, a pool, an endpoint. */
    private static final Map<String, String> OFFICE =
            Map.of("META-INF/context.xml", """
            <Context>
              <Realm className="org.apache.catalina.realm.LockOutRealm" failureCount="2">
                <Realm className="org.apache.catalina.realm.MemoryRealm" pathname="conf/users.xml"/>
              </Realm>
              <Manager className="org.apache.catalina.session.PersistentManager" maxActiveSessions="1">
                <Store className="org.apache.catalina.session.FileStore"/>
              </Manager>
              <Resource name="jdbc/office" type="javax.sql.DataSource" driverClassName="org.h2.Driver"
                  url="jdbc:h2:mem:office" maxTotal="7"/>
            </Context>
            """, "WEB-INF/web.xml", """
            <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="3.1">
              <security-constraint>
                <web-resource-collection><web-resource-name>in</web-resource-name>
                  <url-pattern>/in/*</url-pattern></web-resource-collection>
                <auth-constraint><role-name>clerk</role-name></auth-constraint>
              </security-constraint>
              <login-config><auth-method>BASIC</auth-method></login-config>
              <security-role><role-name>clerk</role-name></security-role>
            </web-app>
            """, "in/page.txt", "the page", "do.jsp", """
            <%@ page session="false" import="javax.websocket.*, javax.websocket.server.*" %>
            <%! public static final class Echo extends Endpoint {
              @Override public void onOpen(Session session, EndpointConfig config) {
                session.addMessageHandler(String.class, text -> session.getAsyncRemote().sendText(text));
              }
            } %>
            <% String what = request.getQueryString();
            if (what.equals("make")) {
              request.getSession();
            } else if (what.equals("look")) {
              request.getSession(false);
            } else {
              ((ServerContainer) application.getAttribute(ServerContainer.class.getName()))
                  .addEndpoint(ServerEndpointConfig.Builder.create(Echo.class, "/echo").build());
            } %>
            """);

    @TempDir
    private static Path base = Path.of("");

    private static HoldingPage page;
    private static Server backend;
    private static Product product;

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    static void start() throws Exception {
        backend = Server.builder()
                .port(0)
                .handler(exchange -> Responses.text(exchange, 200, "behind"))
                .start();
        TestCertificate.keystore(base.resolve("keys.p12"));
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(
                base.resolve("conf/server.xml"),
                SERVER.replace("PASSWORD", TestTls.PASSWORD).replace("BACKEND", String.valueOf(backend.port())));
        Files.writeString(
                base.resolve("conf/users.xml"),
                "<tomcat-users><user username='ann' password='secret' roles='clerk'/></tomcat-users>");
        for (Map.Entry<String, String> each : OFFICE.entrySet()) {
            Path file = base.resolve("webapps/office").resolve(each.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, each.getValue());
        }
        page = HoldingPage.in(base);
        Files.writeString(base.resolve("webapps/holding/file.txt"), "a file");
        Path shop = Files.createDirectories(base.resolve("webapps/shop"));
        Files.writeString(shop.resolve("page.txt"), "one");
        Files.writeString(
                shop.resolve("slow.jsp"),
                "<% for (long end = System.nanoTime() + 50_000_000L; System.nanoTime() < end; ) {"
                        + " java.util.concurrent.locks.LockSupport.parkNanos(1_000_000L); } %>slow");
        product = Product.serving("start", "--base=" + base);
    }

    @AfterAll
    static void stop() throws IOException {
        if (Files.notExists(base.resolve("holding.release"))) {
            page.letGo();
        }
        product.close();
        backend.close();
    }

    private static String text() {
        HttpResponse<String> answer = CLIENT.sendAsync(
                        HttpRequest.newBuilder(URI.create(adminUrl("/metrics"))).build(),
                        HttpResponse.BodyHandlers.ofString())
                .join();
        assertEquals(200, answer.statusCode(), answer.body());
        assertEquals(
                "text/plain; version=0.0.4; charset=utf-8",
                answer.headers().firstValue("Content-Type").orElse(""));
        return answer.body();
    }

    private static PrometheusFormat metrics() {
        return PrometheusFormat.read(text());
    }

    private static String adminUrl(String path) {
        String line = product.awaitLine("MILLRACE0613");
        return line.replaceAll(".*(http://127.0.0.1:\\d+).*", "$1") + path;
    }

    private static int status(String path) throws Exception {
        return CLIENT.send(
                        HttpRequest.newBuilder(URI.create(product.url(path))).build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private static String connector(String name, String... labels) {
        String port = String.valueOf(URI.create(product.url("/")).getPort());
        List<String> all = new ArrayList<>(List.of(labels));
        all.add("connector=http-nio-127.0.0.1-" + port);
        all.sort(null);
        return name + " " + String.join(" ", all);
    }

    private static double value(PrometheusFormat metrics, String name, String... labels) {
        return metrics.samples().getOrDefault(connector(name, labels), 0.0);
    }

    @Test
    void countRequestsByStatusAndAddNoSeriesForPathsThatClientsInvent() throws Exception {
        assertEquals(200, status("/shop/page.txt"));
        assertEquals(404, status("/shop/none"));
        Deadline.await(
                "both to be counted, which is after the client has its response",
                () -> value(metrics(), "millrace_requests_active") == 0);
        PrometheusFormat before = metrics();
        for (int i = 0; i < 100; i++) {
            assertEquals(404, status("/shop/" + i + "%22%C3%A4"));
            assertEquals(404, status("/x" + i));
        }
        assertEquals(200, status("/shop/page.txt"));
        Deadline.await(
                "the last request to be counted",
                () -> value(metrics(), "millrace_requests_total", "code=2xx", "protocol=http/1.1")
                        > value(before, "millrace_requests_total", "code=2xx", "protocol=http/1.1"));
        PrometheusFormat after = metrics();
        assertEquals(before.samples().keySet(), after.samples().keySet());
        assertEquals(
                200,
                value(after, "millrace_requests_total", "code=4xx", "protocol=http/1.1")
                        - value(before, "millrace_requests_total", "code=4xx", "protocol=http/1.1"));
        assertEquals(
                100,
                after.value("millrace_application_requests_total", "application=/shop", "code=4xx")
                        - before.value("millrace_application_requests_total", "application=/shop", "code=4xx"));
        assertEquals(
                201,
                value(after, "millrace_request_duration_seconds_count")
                        - value(before, "millrace_request_duration_seconds_count"));
        assertTrue(value(after, "millrace_network_bytes_total", "direction=in") > 200 * 50);
        assertTrue(value(after, "millrace_network_bytes_total", "direction=out") > 200 * 100);
        assertEquals(1, after.value("millrace_application_up", "application=/shop", "version="));
    }

    @Test
    void nameTheAttributeOfALimitThatWasReached() throws Exception {
        exceedHeaderLimit();
        PrometheusFormat metrics = metrics();
        assertTrue(value(metrics, "millrace_limit_exceeded_total", "limit=maxHttpHeaderSize") >= 1);
        assertTrue(value(metrics, "millrace_requests_total", "code=4xx", "protocol=http/1.1") >= 1);
    }

    private static void exceedHeaderLimit() throws IOException {
        URI url = URI.create(product.url("/"));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort())) {
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(5000) + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.startsWith("HTTP/1.1 431"), answer);
        }
    }

    @Test
    void areAnsweredWhileAllWorkersAreBlocked() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            held.add(CLIENT.sendAsync(
                    HttpRequest.newBuilder(URI.create(product.url(HoldingPage.PATH)))
                            .build(),
                    HttpResponse.BodyHandlers.ofString()));
        }
        try {
            Deadline.await("three requests", () -> value(metrics(), "millrace_requests_active") == 3);
            Deadline.await("both workers", () -> sum(metrics(), "millrace_workers ", "state=busy") == 2);
            PrometheusFormat metrics = metrics();
            assertEquals(1, sum(metrics, "millrace_worker_queue ", ""));
            assertEquals(2, sum(metrics, "millrace_workers_limit ", ""));
            assertTrue(value(metrics, "millrace_connections", "state=active") >= 3);
        } finally {
            page.letGo();
        }
        for (CompletableFuture<HttpResponse<String>> each : held) {
            assertTrue(each.get().body().contains(HoldingPage.ANSWER));
        }
    }

    private static double sum(PrometheusFormat metrics, String name, String label) {
        return metrics.samples().entrySet().stream()
                .filter(each -> each.getKey().startsWith(name) && each.getKey().contains(label))
                .mapToDouble(each -> each.getValue())
                .sum();
    }

    @Test
    void areCompressedIfAsked() throws Exception {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(adminUrl("/metrics")).toURL().openConnection();
        connection.setRequestProperty("Accept-Encoding", "gzip");
        try (InputStream body = connection.getInputStream()) {
            assertEquals("gzip", connection.getContentEncoding());
            assertTrue(body.readAllBytes().length < text().length() / 3);
        }
    }

    @Test
    void haveEventsOfSlowRequestsForTheFlightRecorder(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("slow.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            assertEquals(200, status("/shop/slow.jsp?secret=1"));
            assertEquals(200, status("/shop/page.txt"));
            Deadline.await("both requests to end", () -> value(metrics(), "millrace_requests_active") == 0);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> slow = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("io.millrace.Request"))
                .filter(event -> event.getString("path").equals("/shop/slow.jsp"))
                .toList();
        assertEquals(1, slow.size());
        RecordedEvent event = slow.get(0);
        assertEquals("GET", event.getString("method"));
        assertEquals(200, event.getInt("status"));
        assertEquals("/shop", event.getString("application"));
        assertTrue(event.getString("connector").startsWith("http-nio-127.0.0.1-"), event.toString());
        assertTrue(event.getDuration().toMillis() >= 50, event.toString());
        assertTrue(event.getDuration("waited").compareTo(event.getDuration()) < 0, event.toString());
        assertEquals(4, event.getLong("bytes"));
    }

    private static int login(String name, String password) throws Exception {
        String credentials =
                Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.US_ASCII));
        return answered("/office/in/page.txt", "Authorization", "Basic " + credentials);
    }

    private static int answered(String path, String... header) throws Exception {
        return CLIENT.send(
                        HttpRequest.newBuilder(URI.create(product.url(path)))
                                .headers(header)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private static double ofOffice(String name, String... labels) {
        List<String> all = new ArrayList<>(List.of(labels));
        all.add("application=/office");
        all.sort(null);
        return metrics().value(name, all.toArray(String[]::new));
    }

    @Test
    void countLoginsByWhatTheyCameTo() throws Exception {
        assertEquals(200, login("ann", "secret"));
        assertEquals(401, login("eve", "guess"));
        assertEquals(401, login("eve", "guess again"));
        assertEquals(401, login("eve", "and again"));
        assertTrue(ofOffice("millrace_logins_total", "result=accepted") >= 1);
        assertEquals(1, ofOffice("millrace_logins_total", "result=refused"));
        assertEquals(2, ofOffice("millrace_logins_total", "result=locked"), "the second failure locks the name");
    }

    @Test
    void countSessionsAndCallsOfTheirStore() throws Exception {
        assertEquals(200, status("/office/do.jsp?make"));
        assertEquals(500, status("/office/do.jsp?make"), "there may be one at a time");
        assertEquals(200, answered("/office/do.jsp?look", "Cookie", "JSESSIONID=0123456789ABCDEF0123456789ABCDEF"));
        assertEquals(1, ofOffice("millrace_sessions"));
        assertEquals(1, ofOffice("millrace_sessions_created_total"));
        assertEquals(0, ofOffice("millrace_sessions_expired_total"));
        assertTrue(ofOffice("millrace_sessions_rejected_total") >= 1);
        assertTrue(ofOffice("millrace_session_store_seconds_count", "operation=read", "result=ok") >= 1);
        assertEquals(0, ofOffice("millrace_session_store_open"));
    }

    @Test
    void countMessagesOfWebSockets() throws Exception {
        assertEquals(200, status("/office/do.jsp?listen"));
        CompletableFuture<CharSequence> echo = new CompletableFuture<>();
        WebSocket socket = CLIENT.newWebSocketBuilder()
                .buildAsync(URI.create(product.url("/office/echo").replace("http", "ws")), new WebSocket.Listener() {
                    @Override
                    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                        echo.complete(text);
                        return null;
                    }
                })
                .get();
        socket.sendText("hello", true).get();
        assertEquals("hello", echo.get().toString());
        assertEquals(1, ofOffice("millrace_websocket_sessions"));
        assertEquals(1, ofOffice("millrace_websocket_messages_total", "direction=in"));
        assertEquals(1, ofOffice("millrace_websocket_messages_total", "direction=out"));
        socket.abort();
        Deadline.await("the end of the session", () -> ofOffice("millrace_websocket_sessions") == 0);
    }

    @Test
    void countContentsOfFilesThatWereInMemory() throws Exception {
        assertEquals(404, status("/holding/none.txt"), "starts the servlet of files");
        double before = metrics().value("millrace_file_cache_requests_total", "application=/holding", "result=miss");
        for (int i = 0; i < 10; i++) {
            assertEquals(200, status("/holding/file.txt"));
        }
        PrometheusFormat after = metrics();
        double misses =
                after.value("millrace_file_cache_requests_total", "application=/holding", "result=miss") - before;
        assertTrue(misses >= 1 && misses < 10, "misses: " + misses);
        assertEquals(
                10 - misses, after.value("millrace_file_cache_requests_total", "application=/holding", "result=hit"));
        assertTrue(after.value("millrace_file_cache_bytes", "application=/holding") >= 1024);
    }

    @Test
    void showPoolsThatNobodyHasLookedUp() {
        assertEquals(0, ofOffice("millrace_datasource_connections", "name=jdbc/office", "state=active"));
    }

    @Test
    void haveEventsOfAllKindsForTheFlightRecorder(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("all.jfr");
        try (Recording recording = new Recording()) {
            for (String name : List.of("BackendRequest", "SessionStore")) {
                recording.enable("io.millrace." + name).withThreshold(Duration.ZERO);
            }
            for (String name : List.of("TlsHandshake", "LimitExceeded", "Deployment")) {
                recording.enable("io.millrace." + name);
            }
            recording.start();
            assertEquals(200, status("/behind/it"));
            assertEquals(200, answered("/office/do.jsp?look", "Cookie", "JSESSIONID=00000000000000000000000000000000"));
            exceedHeaderLimit();
            Command.succeed("curl", "-sk", "https://127.0.0.1:" + securePort() + "/shop/page.txt");
            assertEquals(0, Product.launch("reload", "/shop", "--base=" + base).exitStatus());
            Deadline.await("the handshake to end", () -> handshakes() > 0);
            recording.stop();
            recording.dump(file);
        }
        Map<String, List<RecordedEvent>> events = RecordingFile.readAllEvents(file).stream()
                .collect(Collectors.groupingBy(event -> event.getEventType().getName()));
        RecordedEvent attempt = only(events, "BackendRequest");
        assertEquals("http://127.0.0.1:" + backend.port(), attempt.getString("backend"));
        assertTrue(attempt.getString("request").contains("/behind/it"), attempt.toString());
        assertTrue(named(events, "SessionStore").stream()
                .anyMatch(event -> event.getString("application").equals("/office")
                        && event.getString("operation").equals("read")
                        && event.getString("result").equals("ok")));
        assertEquals("maxHttpHeaderSize", only(events, "LimitExceeded").getString("limit"));
        RecordedEvent handshake = only(events, "TlsHandshake");
        assertTrue(handshake.getString("peer").contains("127.0.0.1"), handshake.toString());
        assertEquals("TLSv1.3", handshake.getString("protocol"));
        assertEquals("full", handshake.getString("result"));
        assertEquals(
                List.of("/shop stop stopped", "/shop start started"),
                named(events, "Deployment").stream()
                        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                        .map(event -> event.getString("application") + " " + event.getString("action") + " "
                                + event.getString("result"))
                        .toList());
    }

    private static List<RecordedEvent> named(Map<String, List<RecordedEvent>> events, String name) {
        return events.getOrDefault("io.millrace." + name, List.of());
    }

    private static RecordedEvent only(Map<String, List<RecordedEvent>> events, String name) {
        List<RecordedEvent> found = named(events, name);
        assertEquals(1, found.size(), name + ": " + found);
        return found.get(0);
    }

    private static double handshakes() {
        return sum(metrics(), "millrace_tls_handshakes_total ", "result=full");
    }

    private static int securePort() {
        return product.ports().get(1);
    }

    /** The rows of the guide's table: name and type. */
    private static Set<String> documented() {
        String guide;
        try {
            guide = Files.readString(Path.of("../docs/guide/metrics.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Matcher row = Pattern.compile("(?m)^\\| `([a-z_]+)` \\| (counter|gauge|histogram|summary) \\|")
                .matcher(guide);
        Set<String> rows = new TreeSet<>();
        while (row.find()) {
            assertTrue(rows.add(row.group(1) + " " + row.group(2)), row.group());
        }
        return rows;
    }

    @Test
    void areAllDescribedInTheGuide() throws Exception {
        assertEquals(200, status("/office/do.jsp?listen"));
        assertEquals(200, answered("/office/do.jsp?look", "Cookie", "JSESSIONID=0123456789ABCDEF0123456789ABCDEF"));
        assertEquals(200, login("ann", "secret"));
        assertEquals(404, status("/shop/none.txt"));
        exceedHeaderLimit();
        Set<String> shown = new TreeSet<>(Set.of("millrace_stream_resets_total counter")); // there was none
        Deadline.await("all to be counted", () -> {
            metrics().types().forEach((name, type) -> shown.add(name + " " + type));
            return shown.size() >= documented().size();
        });
        assertEquals(documented(), shown);
    }
}
