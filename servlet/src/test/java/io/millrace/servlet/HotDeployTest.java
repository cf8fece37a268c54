package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.Server;
import io.millrace.testkit.Deadline;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import org.junit.jupiter.api.Test;

/** A running server … */
@OnDefaultCarriers
class HotDeployTest {

    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Carrier carrier;

    private final HttpClient client = HttpClient.newHttpClient();

    HotDeployTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @Test
    void takesAndEndsApplications() throws Exception {
        WebApplication application = saying("first");
        try (Server server = carrier.server().start()) {
            assertEquals(404, get(server).statusCode());
            server.deploy(application);
            assertEquals("first", get(server).body());
            assertThrows(IllegalArgumentException.class, () -> server.deploy(saying("second")));
            server.undeploy(application, GRACE);
            assertEquals(404, get(server).statusCode());
            assertThrows(IllegalArgumentException.class, () -> server.undeploy(application, GRACE));
        }
    }

    @Test
    void exchangesAnApplicationForAnother() throws Exception {
        WebApplication first = saying("first");
        try (Server server = carrier.server().application(first).start()) {
            server.replace(first, saying("second"), GRACE);
            assertEquals("second", get(server).body());
        }
    }

    @Test
    void letsRequestsWaitForTheOther() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CompletableFuture<Boolean> goOn = new CompletableFuture<>();
        WebApplication first = saying("first");
        WebApplication second = WebApplication.builder("/app")
                .servlet(
                        "say",
                        Serving.with((request, response) -> response.getWriter().print("second")),
                        "/*")
                .configure(context -> {
                    starting.countDown();
                    goOn.orTimeout(60, TimeUnit.SECONDS).join();
                })
                .build();
        try (Server server = carrier.server().application(first).start()) {
            CompletableFuture<Void> replaced = CompletableFuture.runAsync(() -> replace(server, first, second));
            Deadline.await(starting);
            List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
            for (int i = 0; i < 300; i++) { // more than there are workers
                waiting.add(client.sendAsync(request(server), HttpResponse.BodyHandlers.ofString()));
            }
            assertThrows(
                    TimeoutException.class, () -> waiting.get(0).get(100, TimeUnit.MILLISECONDS), "nothing answers");
            goOn.complete(true);
            for (CompletableFuture<HttpResponse<String>> each : waiting) {
                assertEquals("second", Deadline.await(each).body());
            }
            Deadline.await(replaced);
        }
    }

    @Test
    void answersRequestsThatWaitBeforeItsStopClosesTheirConnections() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CompletableFuture<Boolean> goOn = new CompletableFuture<>();
        WebApplication first = saying("first");
        WebApplication second = WebApplication.builder("/app")
                .configure(context -> {
                    starting.countDown();
                    goOn.orTimeout(60, TimeUnit.SECONDS).join();
                })
                .build();
        try (Server server = carrier.server().application(first).start()) {
            CompletableFuture<Void> replaced = CompletableFuture.runAsync(() -> replace(server, first, second));
            Deadline.await(starting);
            CompletableFuture<HttpResponse<String>> waiting =
                    client.sendAsync(request(server), HttpResponse.BodyHandlers.ofString());
            assertThrows(TimeoutException.class, () -> waiting.get(1, TimeUnit.SECONDS), "nothing answers");
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> server.stop(Duration.ofSeconds(4)));
            assertEquals(503, Deadline.await(waiting).statusCode());
            assertEquals("5", waiting.join().headers().firstValue("Retry-After").orElse(""));
            goOn.complete(true);
            Deadline.await(replaced);
            Deadline.await(stopped);
        }
    }

    @Test
    void losesNoRequestByAReplacement() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        WebApplication now = saying("0");
        try (Server server = carrier.server().application(now).start()) {
            List<CompletableFuture<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(CompletableFuture.supplyAsync(() -> {
                    int worst = 0;
                    while (!over.get()) {
                        worst = Math.max(worst, status(server));
                    }
                    return worst;
                }));
            }
            for (int i = 1; i <= 20; i++) {
                WebApplication next = saying(String.valueOf(i));
                server.replace(now, next, GRACE);
                assertEquals(String.valueOf(i), get(server).body());
                now = next;
            }
            over.set(true);
            for (CompletableFuture<Integer> each : clients) {
                assertEquals(200, Deadline.await(each));
            }
        } finally {
            over.set(true);
        }
    }

    private static void replace(Server server, WebApplication running, WebApplication next) {
        try {
            server.replace(running, next, GRACE);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void answers503WhereTheOtherDoesNotStart() throws Exception {
        WebApplication first = saying("first");
        WebApplication broken = failing();
        try (Server server = carrier.server().application(first).start()) {
            assertThrows(IllegalStateException.class, () -> server.replace(first, broken, GRACE));
            assertEquals(503, get(server).statusCode());
            assertNotNull(server.failures().get(broken));
            server.replace(broken, saying("mended"), GRACE);
            assertEquals("mended", get(server).body());
            assertEquals(0, server.failures().size());
        }
    }

    @Test
    void staysAsItWasIfANewOneDoesNotStart() throws Exception {
        try (Server server = carrier.server().start()) {
            assertThrows(IllegalStateException.class, () -> server.deploy(failing()));
            assertEquals(404, get(server).statusCode());
        }
    }

    @Test
    void stopsAnApplicationAfterItsLastRequest() throws Exception {
        AtomicBoolean entered = new AtomicBoolean();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean stopped = new AtomicBoolean();
        WebApplication slow = WebApplication.builder("/app")
                .servlet(
                        "slow",
                        Serving.with((request, response) -> {
                            if (!entered.getAndSet(true)) { // later ones ask whether it is there still
                                inside.countDown();
                                Deadline.await(goOn);
                            }
                            response.getWriter().print("stopped: " + stopped.get());
                        }),
                        "/*")
                .listener(new ServletContextListener() {
                    @Override
                    public void contextDestroyed(ServletContextEvent event) {
                        stopped.set(true);
                    }
                })
                .build();
        try (Server server = carrier.server().application(slow).start()) {
            CompletableFuture<HttpResponse<String>> running =
                    client.sendAsync(request(server), HttpResponse.BodyHandlers.ofString());
            Deadline.await(inside);
            CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> server.undeploy(slow, GRACE));
            Deadline.await("the application is not found any more", () -> status(server) == 404);
            assertFalse(stopped.get());
            goOn.countDown();
            assertEquals("stopped: false", Deadline.await(running).body());
            Deadline.await(ended);
            assertEquals(true, stopped.get());
        }
    }

    private static WebApplication saying(String text) {
        return WebApplication.builder("/app")
                .servlet(
                        "say",
                        Serving.with((request, response) -> response.getWriter().print(text)),
                        "/*")
                .build();
    }

    private static WebApplication failing() {
        return WebApplication.builder("/app")
                .configure(context -> {
                    throw new IllegalStateException("not today");
                })
                .build();
    }

    private int status(Server server) {
        try {
            return get(server).statusCode();
        } catch (java.io.IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpResponse<String> get(Server server) throws java.io.IOException, InterruptedException {
        return client.send(request(server), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest request(Server server) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/app/"))
                .timeout(GRACE)
                .build();
    }
}
