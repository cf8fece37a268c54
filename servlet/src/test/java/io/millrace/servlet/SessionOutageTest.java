package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.store.FaultyStore;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While the session store … */
@Timeout(60)
final class SessionOutageTest {

    private static final int WORKERS = 8;

    private final FaultyStore store = new FaultyStore();

    @TempDir
    private Path docBase = Path.of("");

    private @Nullable Deployed running;
    private String cookie = "";

    @BeforeEach
    void start() throws Exception {
        Files.writeString(docBase.resolve("file.txt"), "static");
        Deployed app = new Deployed(Carrier.byDefault()
                .server()
                .maxThreads(WORKERS)
                .application(WebApplication.builder("")
                        .docBase(docBase)
                        .servlet(
                                "plain",
                                Serving.with((request, response) ->
                                        response.getWriter().print("plain" + request.getParameter("x"))),
                                "/plain")
                        .servlet(
                                "count",
                                Serving.with((request, response) -> {
                                    HttpSession session = request.getSession();
                                    Integer count = (Integer) session.getAttribute("count");
                                    session.setAttribute("count", count == null ? 1 : count + 1);
                                    response.getWriter().print(session.getAttribute("count"));
                                }),
                                "/count")
                        .servlet(
                                "long",
                                Serving.with((request, response) -> {
                                    request.getSession().setAttribute("long", "x");
                                    response.getWriter().print("begun");
                                    response.flushBuffer();
                                }),
                                "/long")
                        .servlet(
                                "logout",
                                Serving.with((request, response) -> {
                                    request.getSession().invalidate();
                                    response.getWriter().print("bye");
                                }),
                                "/logout")
                        .build()
                        .sessions(SessionSettings.DEFAULT.shared(store).with(SessionSettings.STORE_TIMEOUT, 1000)))
                .start());
        running = app;
        String field = app.get("/count").headers().firstValue("Set-Cookie").orElseThrow();
        cookie = field.substring(0, field.indexOf(';'));
        assertEquals("2", get("/count").body());
    }

    @AfterEach
    void stop() throws Exception {
        store.resume();
        app().close();
    }

    private Deployed app() {
        return Objects.requireNonNull(running);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return app().send(app().request(path).header("Cookie", cookie));
    }

    @Test
    void hangsPagesWithoutASessionAreServed() throws Exception {
        store.hang();
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (int i = 0; i < 2 * WORKERS; i++) {
            waiting.add(client.sendAsync(
                    app().request("/count")
                            .header("Cookie", i % 2 == 0 ? cookie : "JSESSIONID=other" + i)
                            .build(),
                    HttpResponse.BodyHandlers.ofString()));
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(
                    "plain1",
                    app().send(app().request("/plain?x=1").timeout(Duration.ofSeconds(10)))
                            .body());
            assertEquals("plain1", get("/plain?x=1").body(), "with a session that it does not use");
            assertEquals("static", get("/file.txt").body());
        }
        for (CompletableFuture<HttpResponse<String>> each : waiting) {
            HttpResponse<String> answer = each.get();
            assertEquals(503, answer.statusCode());
            assertEquals("2", answer.headers().firstValue("Retry-After").orElse("none"));
        }
        assertTrue(store.calls().size() < 20, () -> store.calls().toString());
        store.resume();
        HttpResponse<String> answer = get("/count");
        while (answer.statusCode() == 503) {
            answer = get("/count");
        }
        assertEquals("3", answer.body());
    }

    @Test
    void failsALogOutIsRefusedAndDoneNevertheless() throws Exception {
        store.fail("remove");
        HttpResponse<String> answer = get("/logout");
        assertEquals(503, answer.statusCode());
        assertEquals("2", answer.headers().firstValue("Retry-After").orElse("none"));
        store.fail(null);
        assertEquals("1", get("/count").body(), "another session");
    }

    @Test
    void failsAWriteNoClientIsToldOfAChangeThatIsLost() throws Exception {
        store.fail("write");
        HttpResponse<String> answer = get("/count");
        assertEquals(503, answer.statusCode());
        assertEquals("2", answer.headers().firstValue("Retry-After").orElse("none"));
        assertThrows(IOException.class, () -> get("/long"), "its response has begun, and is cut off");
        store.fail(null);
        assertEquals("3", get("/count").body());
    }

    @Test
    void answersRequestsThatDoNotUseTheirSessionDoNotReadIt() throws Exception {
        int before = store.calls().size();
        assertEquals("plain1", get("/plain?x=1").body());
        assertEquals("static", get("/file.txt").body());
        while (store.calls().size() == before) {
            Thread.onSpinWait();
        }
        List<String> calls = store.calls();
        assertTrue(
                calls.subList(before, calls.size()).stream().allMatch(call -> call.startsWith("touch ")),
                calls::toString);
    }
}
