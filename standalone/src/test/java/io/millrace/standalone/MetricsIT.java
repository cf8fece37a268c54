package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.PrometheusFormat;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of the product … */
final class MetricsIT {

    private static final String SERVER = """
            <Server><Service name="Catalina">
              <Connector port="0" address="127.0.0.1" maxThreads="2" maxHttpHeaderSize="4096"/>
              <Connector role="admin" port="0"/>
              <Engine name="Catalina" defaultHost="localhost"><Host name="localhost" autoDeploy="false"/></Engine>
            </Service></Server>
            """;

    @TempDir
    private static Path base = Path.of("");

    private static HoldingPage page;
    private static Product product;

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    static void start() throws IOException {
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(base.resolve("conf/server.xml"), SERVER);
        page = HoldingPage.in(base);
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
        URI url = URI.create(product.url("/"));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort())) {
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(5000) + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.startsWith("HTTP/1.1 431"), answer);
        }
        PrometheusFormat metrics = metrics();
        assertEquals(1, value(metrics, "millrace_limit_exceeded_total", "limit=maxHttpHeaderSize"));
        assertTrue(value(metrics, "millrace_requests_total", "code=4xx", "protocol=http/1.1") >= 1);
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
        Deadline.await("three requests", () -> value(metrics(), "millrace_requests_active") == 3);
        Deadline.await("both workers", () -> sum(metrics(), "millrace_workers ", "state=busy") == 2);
        PrometheusFormat metrics = metrics();
        assertEquals(1, sum(metrics, "millrace_worker_queue ", ""));
        assertEquals(2, sum(metrics, "millrace_workers_limit ", ""));
        assertTrue(value(metrics, "millrace_connections", "state=active") >= 3);
        page.letGo();
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

    /** The rows of the guide's table: name and type. */
    private static Set<String> documented() throws IOException {
        Matcher row = Pattern.compile("(?m)^\\| `([a-z_]+)` \\| (counter|gauge|histogram|summary) \\|")
                .matcher(Files.readString(Path.of("../docs/guide/metrics.md")));
        Set<String> rows = new TreeSet<>();
        while (row.find()) {
            assertTrue(rows.add(row.group(1) + " " + row.group(2)), row.group());
        }
        return rows;
    }

    @Test
    void areAllDescribedInTheGuide() throws Exception {
        Set<String> documented = documented();
        metrics().types().forEach((name, type) -> assertTrue(documented.contains(name + " " + type), name));
    }
}
