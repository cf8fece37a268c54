package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.probe.JmxClient;
import io.millrace.standalone.probe.TracedServlet;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others made to look into a JVM, beside the product: it … */
@Tag("wars")
final class AgentsIT {

    private static final Path AGENTS = Path.of(System.getProperty("millrace.agents", ""));

    /** In the form of the rules that the exporter has as an example for Tomcat. */
    private static final String RULES = """
            rules:
            - pattern: '^Catalina<type=GlobalRequestProcessor, name=\\"(.*)\\"><>(\\w+)Count:'
              name: tomcat_global_$2
              type: COUNTER
              labels:
                worker: "$1"
            - pattern: '^Catalina<type=Manager, host=(.*), context=(.*)><>(\\w*)Sessions:'
              name: tomcat_sessions_$3
              type: GAUGE
              labels:
                context: "$2"
            - pattern: '^Catalina<j2eeType=Servlet, WebModule=//localhost(.*), name=(.*), J2EEApplication=none, J2EEServer=none><>requestCount:'
              name: tomcat_servlet_requests
              type: GAUGE
              labels:
                context: "$1"
                servlet: "$2"
            - pattern: '^Catalina<type=ThreadPool, name="(.*)"><>maxThreads:'
              name: tomcat_threadpool_max
              type: GAUGE
              labels:
                pool: $1
            """;

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path work;

    @BeforeEach
    void writeApplication() throws IOException {
        String file = TracedServlet.class.getName().replace('.', '/') + ".class";
        Path to = work.resolve("traced/WEB-INF/classes").resolve(file);
        Files.createDirectories(Objects.requireNonNull(to.getParent()));
        try (InputStream in = TracedServlet.class.getResourceAsStream("TracedServlet.class")) {
            Files.copy(Objects.requireNonNull(in), to);
        }
        Files.writeString(work.resolve("traced/WEB-INF/web.xml"), """
                <web-app version="4.0" metadata-complete="true">
                  <servlet>
                    <servlet-name>ways</servlet-name>
                    <servlet-class>%s</servlet-class>
                    <async-supported>true</async-supported>
                  </servlet>
                  <servlet-mapping><servlet-name>ways</servlet-name><url-pattern>/ways/*</url-pattern></servlet-mapping>
                  <error-page><error-code>410</error-code><location>/ways/page</location></error-page>
                </web-app>
                """.formatted(TracedServlet.class.getName()));
    }

    private Product serving(String options) throws IOException {
        return Product.process()
                .environment(Map.of("JAVA_OPTS", options))
                .serving(
                        "run",
                        "--port=0",
                        "--address=127.0.0.1",
                        "--work=" + work.resolve("work"),
                        work.resolve("traced").toString());
    }

    private static String agent(String name, String arguments) {
        return "-javaagent:" + AGENTS.resolve(name + ".jar") + (arguments.isEmpty() ? "" : "=" + arguments);
    }

    private String get(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofMinutes(1))
                .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    @Test
    void readsItsBeansByThePrometheusExporterJolokiaAndJmx() throws Exception {
        Files.writeString(work.resolve("rules.yml"), RULES);
        int exporter = LocalPort.free();
        int jolokia = LocalPort.free();
        int remote = LocalPort.free();
        String options = String.join(
                " ",
                agent("jmx_prometheus_javaagent", "127.0.0.1:" + exporter + ":" + work.resolve("rules.yml")),
                agent("jolokia-agent-jvm-javaagent", "host=127.0.0.1,port=" + jolokia),
                "-Dcom.sun.management.jmxremote.port=" + remote,
                "-Dcom.sun.management.jmxremote.rmi.port=" + remote,
                "-Dcom.sun.management.jmxremote.host=127.0.0.1",
                "-Djava.rmi.server.hostname=127.0.0.1",
                "-Dcom.sun.management.jmxremote.authenticate=false",
                "-Dcom.sun.management.jmxremote.ssl=false");
        try (Product product = serving(options)) {
            assertEquals("served", get(product.url("/traced/ways/sync")));
            String connector = "http-nio-127.0.0.1-" + product.ports().get(0);
            String metrics = get("http://127.0.0.1:" + exporter + "/metrics");
            for (String line : List.of(
                    "tomcat_global_request_total{worker=\"" + connector + "\"} 1.0",
                    "tomcat_global_error_total{worker=\"" + connector + "\"} 0.0",
                    "tomcat_sessions_active{context=\"/traced\"} 0.0",
                    "tomcat_servlet_requests{context=\"/traced\",servlet=\"ways\"} 1.0",
                    "tomcat_threadpool_max{pool=\"" + connector + "\"} 200.0")) {
                assertTrue(metrics.contains(line + "\n"), line + " in " + metrics);
            }
            String manager = get("http://127.0.0.1:" + jolokia + "/jolokia/read/Catalina:type=Manager,*");
            assertTrue(
                    manager.contains("\"Catalina:type=Manager,host=localhost,context=/traced\":{")
                            && manager.contains("\"activeSessions\":0"),
                    manager);
            assertEquals(
                    List.of(
                            "Catalina:type=GlobalRequestProcessor,name=\"" + connector + "\"",
                            "Catalina:type=ThreadPool,name=\"" + connector + "\""),
                    client(remote, "Catalina:name=\"" + connector + "\",*"));
        }
    }

    /** In a JVM of its own, as an operator's. */
    private static List<String> client(int port, String query) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        Path.of(JmxClient.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                                .toString(),
                        JmxClient.class.getName(),
                        String.valueOf(port),
                        query)
                .redirectErrorStream(true)
                .start();
        try (InputStream out = process.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    /** One span for each request, with its route, in the trace of its client; and the metrics of the agent's rules for Tomcat. */
    @Test
    void isTracedByOpenTelemetry() throws Exception {
        String options = String.join(
                " ",
                agent("opentelemetry-javaagent", ""),
                "-Dotel.traces.exporter=logging-otlp",
                "-Dotel.metrics.exporter=logging",
                "-Dotel.logs.exporter=none",
                "-Dotel.jmx.target.system=tomcat",
                "-Dotel.jmx.discovery.delay=500",
                "-Dotel.metric.export.interval=500",
                "-Dotel.bsp.schedule.delay=100");
        Map<String, String> expected = new TreeMap<>();
        try (Product product = serving(options)) {
            List<String> ways =
                    List.of("sync", "complete", "dispatch", "forward", "error", "exception", "timeout", "endless");
            for (int i = 0; i < ways.size(); i++) {
                String trace = String.format("%032x", i + 1);
                expected.put(trace, "GET /traced/ways/* in 00000000000000ab");
                if (ways.get(i).equals("endless")) {
                    leave(product.ports().get(0), trace);
                } else {
                    HttpRequest request = HttpRequest.newBuilder(URI.create(product.url("/traced/ways/" + ways.get(i))))
                            .header("traceparent", "00-" + trace + "-00000000000000ab-01")
                            .timeout(Duration.ofMinutes(1))
                            .build();
                    client.send(request, BodyHandlers.ofString());
                }
            }
            Deadline.await(
                    "all spans",
                    Duration.ofMinutes(1),
                    () -> spans(product).keySet().containsAll(expected.keySet()));
            assertEquals(expected, spans(product));
            Set<String> metrics = Set.of(
                    "tomcat.error.count",
                    "tomcat.network.io",
                    "tomcat.request.count",
                    "tomcat.request.duration.max",
                    "tomcat.request.duration.sum",
                    "tomcat.session.active.count",
                    "tomcat.thread.busy.count",
                    "tomcat.thread.count",
                    "tomcat.thread.limit");
            Deadline.await(
                    "all metrics", Duration.ofMinutes(1), () -> metrics(product).equals(metrics));
        }
    }

    /** Begins to read a response without end, and closes the connection. */
    private static void leave(int port, String trace) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("GET /traced/ways/endless HTTP/1.1\r\nHost: localhost\r\ntraceparent: 00-" + trace
                                    + "-00000000000000ab-01\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertEquals(100, socket.getInputStream().readNBytes(100).length);
        }
    }

    private static final Pattern SERVER_SPAN =
            Pattern.compile("\"traceId\":\"([0-9a-f]{32})\",\"spanId\":\"[0-9a-f]+\","
                    + "\"parentSpanId\":\"([0-9a-f]+)\",[^{}]*?\"name\":\"([^\"]*)\",\"kind\":2");

    /** The names and parents of the server's spans by trace; several of one trace one after the other. */
    private static Map<String, String> spans(Product product) {
        Map<String, List<String>> found = new TreeMap<>();
        for (String line : product.lines()) {
            Matcher span = SERVER_SPAN.matcher(line);
            while (span.find()) {
                found.computeIfAbsent(String.valueOf(span.group(1)), trace -> new ArrayList<>())
                        .add(span.group(3) + " in " + span.group(2));
            }
        }
        Map<String, String> joined = new TreeMap<>();
        found.forEach((trace, names) -> joined.put(trace, String.join(", ", names)));
        return joined;
    }

    private static Set<String> metrics(Product product) {
        Pattern name = Pattern.compile("name=(tomcat\\.[a-z.]+)");
        return product.lines().stream()
                .flatMap(line -> name.matcher(line).results())
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void hasNoClassOfJmxWhereNothingReadsBeans() throws Exception {
        Path log = work.resolve("classes.log");
        try (Product product = serving("-Xlog:class+load:file=" + log)) {
            assertEquals("served", get(product.url("/traced/ways/sync")));
            List<String> loaded = Files.readAllLines(log);
            assertTrue(loaded.stream().anyMatch(line -> line.contains(" io.millrace.jmx.JmxDomain ")), "the log");
            List<String> read = loaded.stream()
                    .filter(line -> line.contains(" javax.management."))
                    .filter(line ->
                            !line.endsWith("shared objects file")) // the JVM links what an archive has, wanted or not
                    .toList();
            assertEquals(List.of(), read);
        }
    }
}
