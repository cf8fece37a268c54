package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stop as by SIGTERM while every transport is busy. */
final class StopUnderLoadIT {

    /** So long a single connection that is forgotten would hold the stop. */
    private static final Duration GRACE = Duration.ofMinutes(2);

    private static final int CLIENTS_OF_EACH = 4;

    @TempDir
    private Path base = Path.of("");

    @Test
    void endsAtOnceAndKeepsTheSessions() throws Exception {
        configure();
        List<Visitor> visitors = new ArrayList<>();
        try (Product product = Product.serving("start", "--base=" + base)) {
            ExecutorService threads = Executors.newCachedThreadPool();
            List<Future<?>> visits = new ArrayList<>();
            for (int port : product.ports()) {
                for (int i = 0; i < CLIENTS_OF_EACH; i++) {
                    Visitor visitor = new Visitor();
                    visitors.add(visitor);
                    visits.add(threads.submit(() -> visitor.visitUntilItEnds(port)));
                }
            }
            Deadline.await("everybody to be served", () -> visitors.stream().allMatch(each -> each.count > 2));
            assertEquals(0, product.terminate().exitStatus(), product.output()); // which waits for less than the grace
            for (Future<?> each : visits) {
                each.get();
            }
            threads.shutdown();
        }
        try (Product again = Product.serving("start", "--base=" + base)) {
            int port = again.ports().get(0);
            for (Visitor each : visitors) {
                int before = each.count;
                each.visit(port);
                assertTrue(each.count > before, "the session counted " + before + ", and now " + each.count);
            }
        }
    }

    private void configure() throws IOException {
        Path application = Files.createDirectories(base.resolve("webapps/ROOT"));
        Files.writeString(application.resolve("count.jsp"), """
                <% Integer count = (Integer) session.getAttribute("count");
                   session.setAttribute("count", count == null ? 1 : count + 1); %><%=
                   session.getAttribute("count") %>""");
        String connectors = AllTransports.TRANSPORTS.stream()
                .map(each -> "<Connector port='0' address='127.0.0.1' protocol='" + each + "'/>")
                .collect(Collectors.joining());
        Files.writeString(
                Files.createDirectories(base.resolve("conf")).resolve("server.xml"),
                "<Server><Service gracefulStopAwaitMillis='" + GRACE.toMillis() + "'>" + connectors
                        + "<Engine><Host/></Engine></Service></Server>");
    }

    /** Asks for the page again and again, in a session of its own. */
    private static final class Visitor {

        private final HttpClient client =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

        /** What the page said last. */
        private volatile int count;

        void visitUntilItEnds(int port) {
            try {
                while (true) {
                    visit(port);
                }
            } catch (IOException ended) {
                // nobody listens any more
            } catch (InterruptedException stray) {
                throw new AssertionError(stray);
            }
        }

        void visit(int port) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/count.jsp"))
                    .timeout(Duration.ofSeconds(60))
                    .build();
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), answer.body());
            count = Integer.parseInt(answer.body().trim());
        }
    }
}
