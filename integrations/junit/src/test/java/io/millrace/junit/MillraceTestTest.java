package io.millrace.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A test with a server … */
@Timeout(60)
final class MillraceTestTest {

    static String get(HttpClient client, URI uri) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Greets. */
    static final class Hello implements HttpHandler {

        @Override
        public void handle(HttpExchange exchange) {
            Responses.text(exchange, 200, "Hello");
        }
    }

    @Nested
    @MillraceTest(handler = Hello.class)
    final class WithAHandler {

        static @Nullable Server first;

        @BeforeAll
        static void remember(Server server) {
            first = server;
        }

        @Test
        void asksItForAResponse(URI base, HttpClient client, Server server, LogLines log, Path work) throws Exception {
            assertEquals("Hello", get(client, base.resolve("any")));
            assertEquals(server.port(), base.getPort());
            assertEquals(first, server);
            assertTrue(log.await("MILLRACE0001").contains("Listening on http://127.0.0.1:" + base.getPort()));
            assertTrue(Files.isDirectory(work));
        }

        @Test
        void mayHaveADirectoryOfJUnit(@TempDir Path other, Path work) {
            assertNotEquals(other, work);
        }

        @Nested
        final class InAClassInside {

            @Test
            void usesTheSameServer(Server server) {
                assertEquals(first, server);
            }
        }
    }

    /** Counts a session's requests; /later answers when it times out. */
    private static final class Counter extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getPathInfo().equals("/later")) {
                AsyncContext async = request.startAsync();
                async.setTimeout(Duration.ofMinutes(10).toMillis());
                async.addListener(new Late(async));
                arrived.countDown();
                return;
            }
            HttpSession session = request.getSession();
            Integer count = (Integer) session.getAttribute("count");
            session.setAttribute("count", count == null ? 1 : count + 1);
            response.getWriter().print(session.getAttribute("count"));
        }
    }

    private record Late(AsyncContext async) implements AsyncListener {

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            async.getResponse().getWriter().print("timed out");
            async.complete();
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    private static volatile CountDownLatch arrived = new CountDownLatch(1);

    @Nested
    final class WithServlets {

        @RegisterExtension
        static final MillraceExtension APP =
                MillraceExtension.servlets("/app", app -> app.servlet("counter", new Counter(), "/count/*"));

        @Test
        void keepsSessionsWhenItRestartsTheServer(URI base, HttpClient client, Server before) throws Exception {
            assertEquals("http://localhost:" + before.port() + "/app/", base.toString());
            assertEquals("1", get(client, base.resolve("count/")));
            APP.restart();
            assertNotEquals(before, APP.server());
            assertEquals(base, APP.uri());
            assertEquals("2", get(client, base.resolve("count/")));
        }

        @Test
        void startsWithoutCookies(URI base, HttpClient client) throws Exception {
            assertEquals("1", get(client, base.resolve("count/")));
        }

        @Test
        void turnsTheClockForSessions(URI base, HttpClient client) throws Exception {
            assertEquals("1", get(client, base.resolve("count/")));
            APP.advance(Duration.ofMinutes(29));
            assertEquals("2", get(client, base.resolve("count/")));
            APP.advance(Duration.ofMinutes(31));
            assertEquals("1", get(client, base.resolve("count/")));
        }

        @Test
        void turnsTheClockForAsynchronousRequests(URI base, HttpClient client) throws Exception {
            arrived = new CountDownLatch(1);
            CompletableFuture<HttpResponse<String>> answer = client.sendAsync(
                    HttpRequest.newBuilder(base.resolve("count/later")).build(), HttpResponse.BodyHandlers.ofString());
            assertTrue(arrived.await(20, TimeUnit.SECONDS));
            APP.advance(Duration.ofMinutes(11));
            assertEquals("timed out", answer.get(20, TimeUnit.SECONDS).body());
            APP.awaitIdle();
        }
    }

    @Nested
    final class WithAServerForEachTest {

        @RegisterExtension
        final MillraceExtension each = MillraceExtension.handler(new Hello()).server(server -> server.health("/up"));

        @Test
        void mayChangeItsSettings(URI base, HttpClient client) throws Exception {
            assertTrue(get(client, base.resolve("up")).contains("UP"));
            assertNotNull(each.server());
        }
    }

    @Nested
    @MillraceTest(webapp = "src/test/webapp", contextPath = "/shop")
    final class WithADirectory {

        @Test
        void isServedItsFiles(URI base, HttpClient client) throws Exception {
            assertEquals("<p>Shop\n", get(client, base.resolve("index.html")));
        }
    }
}
