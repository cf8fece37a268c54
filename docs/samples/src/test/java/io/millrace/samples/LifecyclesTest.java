package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Application;
import io.millrace.Server;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import io.millrace.servlet.WebApplication;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples of starting and stopping in steps … */
@Timeout(60)
class LifecyclesTest {

    @TempDir
    Path directory = Path.of("");

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch finish = new CountDownLatch(1);

    private final HttpHandler slow = exchange -> {
        entered.countDown();
        finish.await(20, TimeUnit.SECONDS);
        Responses.text(exchange, 200, "done");
    };

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static CompletableFuture<HttpResponse<String>> ask(int port) {
        return HttpClient.newHttpClient()
                .sendAsync(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void runUntilTheyAreInterrupted() throws Exception {
        int port = freePort();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread main = new Thread(() -> {
            try {
                Lifecycles.run(port);
            } catch (Throwable thrown) {
                failure.set(thrown);
            }
        });
        main.start();
        Deadline.await("the server to answer", () -> answers(port) || failure.get() != null);
        main.interrupt();
        main.join(20_000);
        assertFalse(main.isAlive());
        assertEquals(null, failure.get());
        assertFalse(answers(port));
    }

    private static boolean answers(int port) {
        try {
            return ask(port).get(10, TimeUnit.SECONDS).body().equals("Hello!\n");
        } catch (Exception refused) {
            return false;
        }
    }

    @Test
    void startApplicationsFirst() throws Exception {
        Application counter = new Embedding.Counter();
        try (Server server = Lifecycles.prepare(0, counter)) {
            assertEquals("1\n", new Client(server).get("/counter").body());
            IllegalStateException taken = assertThrows(
                    IllegalStateException.class, () -> Lifecycles.prepare(server.port(), new Embedding.Counter()));
            assertEquals("Is another instance running on port " + server.port() + "?", taken.getMessage());
        }
    }

    @Test
    void drainUntilTheLastRequestHasEnded() throws Exception {
        try (Server server = Server.builder().port(0).handler(slow).start()) {
            int port = server.port();
            CompletableFuture<HttpResponse<String>> running = ask(port);
            assertTrue(entered.await(20, TimeUnit.SECONDS));
            CompletableFuture<Server.Drained> drained = Lifecycles.drain(server).toCompletableFuture();
            Client.awaitRefusal(port);
            assertFalse(drained.isDone());
            finish.countDown();
            assertEquals("done", running.get(20, TimeUnit.SECONDS).body());
            assertEquals(Server.Drained.IDLE, drained.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void sayThatRequestsWereActiveWhenADrainWasCutShort() throws Exception {
        Server server = Server.builder().port(0).handler(slow).start();
        CompletableFuture<HttpResponse<String>> running = ask(server.port());
        assertTrue(entered.await(20, TimeUnit.SECONDS));
        CompletableFuture<Server.Drained> drained = Lifecycles.drain(server).toCompletableFuture();
        server.stop(Duration.ZERO);
        assertEquals(Server.Drained.REQUESTS_ACTIVE, drained.get(20, TimeUnit.SECONDS));
        assertThrows(Exception.class, () -> running.get(20, TimeUnit.SECONDS));
        finish.countDown();
    }

    @Test
    void drainAfterTheDrainDelay() throws Exception {
        try (Server server = Server.builder()
                .port(0)
                .drainDelay(Duration.ofMillis(200))
                .handler(exchange -> Responses.text(exchange, 200, "served"))
                .start()) {
            CompletableFuture<Server.Drained> drained = Lifecycles.drain(server).toCompletableFuture();
            assertFalse(server.isRunning());
            assertEquals(Server.Drained.IDLE, drained.get(20, TimeUnit.SECONDS));
        }
    }

    /** Sets two cookies. */
    private static final class Cookies extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            request.getSession();
            response.addCookie(new Cookie("sso", "1"));
        }
    }

    @Test
    void giveCookiesTheirOwnSameSite() throws Exception {
        try (Server server = Server.builder()
                .port(0)
                .application(Lifecycles.cookies(new Cookies()))
                .start()) {
            List<String> cookies = new Client(server).get("/cookies").headers().allValues("Set-Cookie");
            assertTrue(cookies.stream().anyMatch(cookie -> cookie.equals("sso=1; SameSite=None")), cookies.toString());
            assertTrue(
                    cookies.stream()
                            .anyMatch(cookie -> cookie.startsWith("JSESSIONID=") && cookie.endsWith("; SameSite=Lax")),
                    cookies.toString());
        }
    }

    @Test
    void serveResourcesOfLibrariesByTheirUrls() throws Exception {
        Path webjar = directory.resolve("webjar.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(webjar))) {
            zip.putNextEntry(new ZipEntry("META-INF/resources/webjars/a b.js"));
            zip.write("script".getBytes(StandardCharsets.UTF_8));
        }
        WebApplication application = Lifecycles.libraries(webjar.toUri().toURL());
        try (Server server = Server.builder().port(0).application(application).start()) {
            assertEquals(
                    "script", new Client(server).get("/app/webjars/a%20b.js").body());
            var url = application.servletContext().getResource("/webjars/a b.js");
            try (InputStream in = url.openStream()) {
                assertEquals("script", new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
            assertEquals(Set.of("/webjars/a b.js"), application.servletContext().getResourcePaths("/webjars"));
        }
    }

    @Test
    void turnTheClock() throws Exception {
        Lifecycles.turn(slow);
    }
}
