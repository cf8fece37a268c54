package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Prometheus that scrapes the admin port … */
@Tag("wars")
final class PrometheusIT {

    private static final String PAGE = "<%@ page session=\"false\" %><% Thread.sleep("
            + "Integer.parseInt(request.getParameter(\"millis\"))); %>done";

    private static final int REQUESTS = 60;

    /** One of so many takes long, so that the quantile is among these. */
    private static final int ONE_IN = 10;

    private static final double QUANTILE = 0.95;

    private static final Pattern LISTENING = Pattern.compile("Listening on\" address=127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern VALUE = Pattern.compile("\"value\":\\[[^,]+,\"([^\"]+)\"\\]");
    private static final Pattern POINT = Pattern.compile("\\[\\d+(\\.\\d+)?,\"[^\"]+\"\\]");

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory = Path.of("");

    private String get(String url) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(30))
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    private Product server() throws IOException {
        Path base = directory.resolve("base");
        write(base.resolve("conf/server.xml"), """
                <Server port="-1"><Service name="Catalina"><Connector port="0" address="127.0.0.1"/>
                  <Connector role="admin" port="0"/>
                  <Engine name="Catalina" defaultHost="localhost"><Host name="localhost" autoDeploy="false">
                    <Valve className="org.apache.catalina.valves.AccessLogValve" prefix="access" rotatable="false" buffered="false"
                        pattern="%D %U"/>
                  </Host></Engine></Service></Server>
                """);
        write(base.resolve("webapps/shop/page.jsp"), PAGE);
        return Product.serving("start", "--base=" + base);
    }

    private Process prometheus(String target) throws IOException {
        Path configuration = directory.resolve("prometheus.yml");
        write(configuration, """
                global: {scrape_interval: 1s}
                scrape_configs:
                  - job_name: millrace
                    static_configs: [{targets: ['%s']}]
                """.formatted(target));
        return new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:0")
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
    }

    private Path log() {
        return directory.resolve("prometheus.log");
    }

    private int port() {
        Deadline.await(
                "Prometheus to listen",
                Duration.ofMinutes(1),
                () -> LISTENING.matcher(read(log())).find());
        Matcher line = LISTENING.matcher(read(log()));
        assertTrue(line.find());
        return Integer.parseInt(line.group(1));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException notYet) {
            return "";
        }
    }

    /** The value of an expression, or NaN as long as it has none. */
    private double value(int port, String expression) {
        try {
            String answer = get("http://127.0.0.1:" + port + "/api/v1/query?query="
                    + URLEncoder.encode(expression, StandardCharsets.UTF_8));
            Matcher value = VALUE.matcher(answer);
            return value.find() ? Double.parseDouble(value.group(1)) : Double.NaN;
        } catch (IOException notYet) {
            return Double.NaN;
        }
    }

    /** The quantile by the access log, in seconds. */
    private double byAccessLog() throws IOException {
        try (Stream<String> lines = Files.lines(directory.resolve("base/logs/access"))) {
            List<Long> millis = lines.filter(line -> line.endsWith("/shop/page.jsp"))
                    .map(line -> Long.valueOf(line.substring(0, line.indexOf(' '))))
                    .sorted()
                    .toList();
            return millis.get((int) (QUANTILE * millis.size())) / 1e3;
        }
    }

    @Test
    void showsTheServerAndAQuantileThatAgreesWithTheAccessLog() throws Exception {
        try (Product server = server()) {
            String admin = server.awaitLine("MILLRACE0613").replaceAll(".*http://(127.0.0.1:\\d+).*", "$1");
            get(server.url("/shop/page.jsp?millis=0")); // compiled, and of no bucket that is compared
            Process prometheus = prometheus(admin);
            try {
                compare(server, port());
            } finally {
                prometheus.destroy();
                assertTrue(prometheus.waitFor(1, TimeUnit.MINUTES));
            }
        }
    }

    private void compare(Product server, int port) throws IOException {
        Deadline.await("the first scrape", Duration.ofMinutes(1), () -> value(port, "up") == 1);
        double before = value(port, "sum(millrace_application_requests_total{application=\"/shop\"})");
        for (int i = 0; i < REQUESTS; i++) {
            get(server.url("/shop/page.jsp?millis=" + (i % ONE_IN == 0 ? 60 : 5)));
        }
        Deadline.await(
                "the requests in a scrape",
                Duration.ofMinutes(1),
                () -> value(port, "sum(millrace_application_requests_total{application=\"/shop\"})")
                        >= before + REQUESTS);
        double shown = value(
                port,
                "histogram_quantile(" + QUANTILE
                        + ", sum by (le) (millrace_application_request_duration_seconds_bucket{application=\"/shop\"}))");
        double logged = byAccessLog();
        assertTrue(
                shown >= logged / 2 && shown <= logged * 2,
                "a bucket is a doubling; shown: " + shown + ", in the access log: " + logged);
        long now = Instant.now().getEpochSecond();
        String graph = get("http://127.0.0.1:" + port
                + "/api/v1/query_range?query=millrace_requests_active&step=1&start=" + (now - 60) + "&end=" + now);
        assertTrue(POINT.matcher(graph).results().count() > 1, graph);
        assertEquals(1, value(port, "up"));
    }
}
