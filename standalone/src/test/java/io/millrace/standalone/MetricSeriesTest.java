package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.metrics.Metrics;
import io.millrace.metrics.PrometheusText;
import io.millrace.servlet.WebApplication;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.PrometheusFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The series of metrics … */
@Timeout(60)
final class MetricSeriesTest {

    private static final int APPLICATIONS = 100;
    private static final int PATHS = 10_000;

    /** So many are sent on a connection, which maxKeepAliveRequests ends then. */
    private static final int PIPELINED = 100;

    private final Metrics metrics = new Metrics();
    private final PrometheusText text = new PrometheusText(metrics);
    private final Random random = new Random(7);

    /** Has a session of its own for each request. */
    private static final class Page extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            request.getSession();
        }
    }

    private PrometheusFormat read() {
        return PrometheusFormat.read(StandardCharsets.UTF_8.decode(text.read()).toString());
    }

    private static long count(Set<String> series, String label) {
        return series.stream()
                .filter(each -> each.matches(".* " + label + "( .*)?"))
                .count();
    }

    @Test
    void areBoundedByTheConfigurationWhateverClientsAskFor() throws IOException {
        ServerBuilder builder = Server.builder().metrics(metrics).port(0).maxThreads(2);
        for (int i = 0; i < APPLICATIONS; i++) {
            builder.application(WebApplication.builder("/app" + i)
                    .servlet("page", new Page(), "/page")
                    .build());
        }
        try (Server server = builder.start()) {
            ask(server.port(), APPLICATIONS, i -> "/app" + i + "/page");
            ask(server.port(), APPLICATIONS, i -> "/app" + i + "/none");
            Set<String> before = new TreeSet<>(read().samples().keySet());
            ask(
                    server.port(),
                    PATHS,
                    i -> "/" + (i % 2 == 0 ? "app" + i % APPLICATIONS + "/" : "") + Long.toHexString(random.nextLong())
                            + "%20%22%c3%a4;x=" + i + "?" + i);
            Deadline.await(
                    "all requests to be counted",
                    () -> read().samples().entrySet().stream()
                                    .filter(each -> each.getKey().startsWith("millrace_requests_total "))
                                    .mapToDouble(each -> each.getValue())
                                    .sum()
                            == PATHS + 2 * APPLICATIONS);
            assertEquals(before, read().samples().keySet());
            long ofConnector = count(before, "connector=\\S+");
            assertTrue(ofConnector > 30 && ofConnector <= 45, "of a connector: " + ofConnector);
            for (int i = 0; i < APPLICATIONS; i++) {
                long ofApplication = count(before, "application=/app" + i);
                assertTrue(ofApplication > 30 && ofApplication <= 45, "of an application: " + ofApplication);
            }
            long others = before.size() - ofConnector - count(before, "application=\\S+");
            assertTrue(others <= 30, "of the process: " + others);
        }
    }

    private interface Path {
        String of(int i);
    }

    private static void ask(int port, int number, Path path) throws IOException {
        for (int i = 0; i < number; i += PIPELINED) {
            StringBuilder requests = new StringBuilder();
            for (int each = i; each < i + PIPELINED; each++) {
                requests.append("HEAD ").append(path.of(each)).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.ISO_8859_1));
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
                for (int ends = 0; ends < PIPELINED; ) {
                    String line = Objects.requireNonNull(in.readLine(), "the connection was closed");
                    ends += line.isEmpty() ? 1 : 0;
                }
            }
        }
    }
}
