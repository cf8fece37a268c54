package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.ConnectorState;
import io.millrace.Server;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.RequestMeter;
import io.millrace.exchange.Suspension;
import io.millrace.handler.Responses;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The meter of a connector … */
@Timeout(60)
final class RequestMeterTest {

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private HttpRequest.Builder request(Server server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    private static Server serving(HttpHandler handler) throws Exception {
        return Server.builder()
                .connector(Connector.builder().address("127.0.0.1").port(0).build())
                .handler(handler)
                .start();
    }

    private static ConnectorState state(Server server) {
        return server.connectorStates().get(0);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) { // the response is at the client before the exchange has ended
            Thread.onSpinWait();
        }
    }

    @Test
    void countsWhatHasEnded() throws Exception {
        try (Server server = serving(exchange -> {
            if (exchange.request().method().equals("POST")) {
                exchange.input().read();
            }
            Responses.text(exchange, exchange.request().path().raw().equals("/no") ? 404 : 200, "seven b");
        })) {
            client.send(request(server, "/yes").build(), BodyHandlers.ofString());
            client.send(request(server, "/no").build(), BodyHandlers.ofString());
            client.send(
                    request(server, "/yes").POST(BodyPublishers.ofString("abc")).build(), BodyHandlers.ofString());
            await(() -> state(server).requests().totals().requests() == 3);
            RequestMeter.Totals totals = state(server).requests().totals();
            assertEquals(1, totals.errors());
            assertEquals(21, totals.bytesSent());
            assertTrue(totals.longestNanos() > 0 && totals.nanos() >= totals.longestNanos());
            assertEquals(List.of(), state(server).requests().active());
        }
    }

    @Test
    void knowsWhichThreadRunsARequestAndThatASuspendedOneHasNone() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<Suspension> suspended = new CompletableFuture<>();
        try (Server server = serving(exchange -> {
            if (exchange.request().path().raw().equals("/later")) {
                suspended.complete(exchange.suspend(Duration.ZERO, ended -> {}));
                return;
            }
            release.await(30, TimeUnit.SECONDS);
            Responses.text(exchange, 200, "done");
        })) {
            CompletableFuture<HttpResponse<String>> blocked =
                    client.sendAsync(request(server, "/now?a=b").build(), BodyHandlers.ofString());
            // the I/O thread has it first, and nobody while it waits for a worker
            await(() -> state(server).requests().active().stream()
                    .anyMatch(each -> String.valueOf(each.thread()).contains("worker")));
            RequestMeter.Active active = state(server).requests().active().get(0);
            assertEquals("/now", active.request().path().raw());
            CompletableFuture<HttpResponse<String>> waiting =
                    client.sendAsync(request(server, "/later").build(), BodyHandlers.ofString());
            Suspension suspension = suspended.get(30, TimeUnit.SECONDS);
            await(() -> state(server).requests().active().get(1).thread() == null);
            assertNull(state(server).requests().active().get(1).thread());
            assertEquals(2, state(server).connections().size());
            assertEquals(2, state(server).open());
            release.countDown();
            suspension.resume(exchange -> Responses.text(exchange, 200, "late"));
            assertEquals("done", blocked.get(30, TimeUnit.SECONDS).body());
            assertEquals("late", waiting.get(30, TimeUnit.SECONDS).body());
            await(() -> state(server).requests().active().isEmpty());
            assertEquals(2, state(server).requests().totals().requests());
        }
    }
}
