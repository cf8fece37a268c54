package io.millrace.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.logging.Logger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The report of a test that fails … */
@Timeout(60)
final class FailuresTest {

    private static Path war = Path.of("missing.war");

    @TempDir
    Path directory = Path.of("");

    /** Runs the tests of a class; the failure of each test and container by its name, empty if it has passed. */
    private static Map<String, String> run(Class<?> type) {
        Map<String, String> failures = new LinkedHashMap<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(type))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                failures.put(
                                        test.getDisplayName().replaceAll("\\(.*", ""),
                                        result.getThrowable()
                                                .map(FailuresTest::trace)
                                                .orElse(""));
                            }
                        });
        return failures;
    }

    private static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** Fails on purpose; run by the test only. */
    static final class Red {

        @RegisterExtension
        static final MillraceExtension APP =
                MillraceExtension.servlets(app -> app.servlet("failing", new Failing(), "/*"));

        @Test
        void red(URI base, HttpClient client) throws Exception {
            assertEquals(
                    200,
                    client.send(HttpRequest.newBuilder(base).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode());
        }

        @Test
        void green(URI base) {
            assertFalse(base.toString().isEmpty());
        }
    }

    /** Throws. */
    private static final class Failing extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            getServletContext().log("about to fail");
            throw new IllegalStateException("the cause that the reader looks for");
        }
    }

    @Test
    void hasTheLogOfTheServer() {
        Map<String, String> failures = run(Red.class);
        String red = failures.getOrDefault("red", "");
        assertTrue(red.contains("expected: <200> but was: <500>"), red);
        assertTrue(red.contains("ServerLog: The server has logged during this test:"), red);
        assertTrue(red.contains("about to fail"), red);
        assertTrue(red.contains("java.lang.IllegalStateException: the cause that the reader looks for"), red);
        assertEquals("", failures.get("green"));
    }

    /** Leaks on purpose; run by the test only. */
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static final class Leaking {

        private static final List<Object> KEPT = new ArrayList<>();

        @RegisterExtension
        static final MillraceExtension APP =
                MillraceExtension.handler(new Leaks()).server(server -> server.application(new Keeper()));

        @Test
        @Order(1)
        void neverCompleted(URI base, HttpClient client) throws Exception {
            Future<?> unanswered = client.sendAsync(
                    HttpRequest.newBuilder(base.resolve("suspend")).build(), HttpResponse.BodyHandlers.discarding());
            APP.log().await("suspended");
            assertFalse(unanswered.isDone());
        }

        @Test
        @Order(2)
        void notToBlame(URI base, HttpClient client) throws Exception {
            client.send(HttpRequest.newBuilder(base).build(), HttpResponse.BodyHandlers.discarding());
        }

        @Test
        @Order(3)
        void bufferKept(URI base, HttpClient client) throws Exception {
            client.send(HttpRequest.newBuilder(base.resolve("keep")).build(), HttpResponse.BodyHandlers.discarding());
        }

        @Test
        @Order(4)
        void notToBlameEither(URI base, HttpClient client) throws Exception {
            client.send(HttpRequest.newBuilder(base).build(), HttpResponse.BodyHandlers.discarding());
        }
    }

    /** Keeps what it should give back. */
    private static final class Leaks implements HttpHandler {

        @Override
        public void handle(HttpExchange exchange) {
            if (exchange.request().target().equals("/suspend")) {
                Leaking.KEPT.add(exchange.suspend(Duration.ofMinutes(5), late -> {}));
                Logger.getLogger("io.millrace.test").info("suspended");
            } else {
                Responses.text(exchange, 200, "fine");
            }
        }
    }

    /** Leases a buffer for each request. */
    private static final class Keeper implements Application {

        @Override
        public String contextPath() {
            return "/keep";
        }

        @Override
        public HttpHandler start(ServerContext server) {
            return exchange -> {
                Leaking.KEPT.add(server.buffers().lease());
                Responses.text(exchange, 200, "kept");
            };
        }

        @Override
        public void stop() {}
    }

    @Test
    void namesTheRequestThatTheTestHasLeftOpenAndTheBufferThatItHasNotReleased() {
        Map<String, String> failures = run(Leaking.class);
        String open = failures.getOrDefault("neverCompleted", "");
        assertTrue(open.contains("Requests have not ended: GET /suspend, since "), open);
        assertTrue(open.contains(" ms, asynchronous. Complete each exchange"), open);
        assertEquals("", failures.get("notToBlame"));
        String kept = failures.getOrDefault("bufferKept", "");
        assertTrue(kept.contains("1 buffer was leased and not released"), kept);
        assertTrue(kept.contains("Throwable: leased on "), kept);
        assertEquals("", failures.get("notToBlameEither"));
    }

    /** Serves a WAR that is not there, or does not start. */
    static final class OfAWar {

        @RegisterExtension
        static final MillraceExtension APP = new MillraceExtension(context -> Served.war(war, ""));

        @Test
        void neverRun() {
            fail("its server does not start");
        }
    }

    /** Names nothing to serve. */
    @MillraceTest
    static final class OfNothing {

        @Test
        void neverRun() {
            fail("it has no server");
        }
    }

    private String ofWar(String name, String entry, String content) throws IOException {
        war = directory.resolve(name);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(content.getBytes(UTF_8));
        }
        return first(run(OfAWar.class));
    }

    /** The first line of the only failure. */
    private static String first(Map<String, String> failures) {
        List<String> all =
                failures.values().stream().filter(text -> !text.isEmpty()).toList();
        assertEquals(1, all.size(), failures.toString());
        return all.get(0).lines().findFirst().orElse("");
    }

    @Test
    void saysWhatToDoAboutAWarThatIsNotThere() {
        war = Path.of("target/no-such.war");
        String failure = first(run(OfAWar.class));
        assertTrue(failure.contains("There is no WAR target/no-such.war ("), failure);
        assertTrue(failure.contains("name the test *IT and let Failsafe run it"), failure);
    }

    @Test
    void saysThatAWarIsForJakarta() throws IOException {
        String failure = ofWar(
                "jakarta.war",
                "WEB-INF/web.xml",
                "<web-app xmlns='https://jakarta.ee/xml/ns/jakartaee' version='6.0'/>");
        assertTrue(failure.contains("jakarta.war does not start: "), failure);
        assertTrue(failure.contains("this is a jakarta.servlet application"), failure);
    }

    @Test
    void saysWhyAnApplicationDoesNotStart() throws IOException {
        String failure = ofWar(
                "broken.war",
                "WEB-INF/web.xml",
                "<web-app><listener><listener-class>com.example.Gone</listener-class></listener></web-app>");
        assertTrue(failure.contains("broken.war does not start: "), failure);
        assertTrue(failure.contains("com.example.Gone"), failure);
    }

    @Test
    void saysWhatAnAnnotationLacks() {
        String failure = first(run(OfNothing.class));
        assertTrue(failure.contains("names 0 things to serve; give it one of handler, war and webapp"), failure);
    }
}
