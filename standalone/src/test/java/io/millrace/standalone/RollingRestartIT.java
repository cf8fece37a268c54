package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Three backends of the proxy stop and start again, one after the other, while clients ask. */
@Timeout(600)
@Tag("soak")
final class RollingRestartIT {

    private static final int BACKENDS = 3;
    private static final int CLIENTS = 4;

    /** Between two requests of a client: four that never rest leave a starting backend no processor. */
    private static final Duration REST = Duration.ofMillis(4);

    @TempDir
    private Path base = Path.of("");

    private final List<ProbeServer> backends = new ArrayList<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    private static String connector(String scheme, int port) {
        String http = "<Connector port='" + port + "' address='127.0.0.1'>";
        return switch (scheme) {
            case "ajp" -> "<Connector protocol='AJP/1.3' port='" + port + "' secret='s'/>";
            case "h2c" -> http + "<UpgradeProtocol className='org.apache.coyote.http2.Http2Protocol'/></Connector>";
            default -> http + "</Connector>";
        };
    }

    static Stream<String> schemes() {
        return ProxiedPair.schemes().stream().filter(each -> !each.equals("spdy"));
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void losesNoRequest(String scheme) throws Exception {
        List<String> words = new ArrayList<>(List.of("proxy", "--port=0"));
        List<String> connectors = new ArrayList<>();
        for (int i = 0; i < BACKENDS; i++) {
            int port = LocalPort.free();
            connectors.add(connector(scheme, port));
            words.add(scheme + "://127.0.0.1:" + port + (scheme.equals("ajp") ? "?secret=s" : ""));
            backends.add(ProbeServer.process(base.resolve("b" + i), connectors.get(i)));
        }
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Product proxy = Product.process().serving(words.toArray(String[]::new))) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> ask(URI.create(proxy.url("/relayed/say")))));
            }
            for (int i = 0; i < BACKENDS; i++) {
                awaitAnswers(clients);
                Product backend = backends.get(i).product();
                assertEquals(0, backend.terminate().exitStatus(), backend.output());
                awaitAnswers(clients);
                backends.set(i, ProbeServer.process(base.resolve("b" + i), connectors.get(i)));
            }
            awaitAnswers(clients);
            over.set(true);
            for (Future<?> client : clients) {
                client.get();
            }
        } finally {
            over.set(true);
            threads.shutdown();
            backends.forEach(ProbeServer::close);
        }
    }

    /** A few hundred more; at once if a client has failed, which its result tells. */
    private void awaitAnswers(List<Future<?>> clients) {
        int enough = answered.get() + 300;
        Deadline.await(
                "clients to be answered",
                () -> answered.get() > enough || clients.stream().anyMatch(Future::isDone));
    }

    private Void ask(URI uri) throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        while (!over.get()) {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals(200, response.statusCode(), response::body);
            assertTrue(response.body().startsWith("GET HTTP/"), response.body());
            answered.incrementAndGet();
            Deadline.pass(REST);
        }
        return null;
    }
}
