package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.http1.Http1Protocol;
import io.millrace.servlet.WebApplication;
import io.millrace.settings.Settings;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.Transports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.PushBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses pushed by servlets (Servlet 4.0, PushBuilder), received by the JDK's client. */
@ParameterizedClass
@MethodSource("transports")
final class ServerPushTest {

    private final HttpClient client =
            HttpClient.newBuilder().version(Version.HTTP_2).build();
    private final Server server;

    /** The pushes of a response: the promised requests, and their responses. */
    private record Pushed(HttpResponse<String> answer, Map<HttpRequest, CompletableFuture<HttpResponse<String>>> rest) {

        HttpRequest promise() {
            assertEquals(1, rest.size());
            return rest.keySet().iterator().next();
        }

        String body() throws Exception {
            return Deadline.await(Objects.requireNonNull(rest.get(promise()))).body();
        }
    }

    ServerPushTest(String transport) throws IOException {
        Settings options = Settings.DEFAULTS.with(Http2Options.SERVER_PUSH, true);
        server = Server.builder()
                .connector(Connector.builder()
                        .transport(transport)
                        .port(0)
                        .protocols(List.of(
                                new Http2Protocol(options, "http"), new Http1Protocol(Settings.DEFAULTS, "http")))
                        .build())
                .application(WebApplication.builder("/shop")
                        .servlet("page", new Page(), "/page/*")
                        .servlet("seen", new Seen(), "/seen/*")
                        .build())
                .failFast(true)
                .start();
    }

    static List<String> transports() {
        return Transports.installed();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private Pushed get(String pathAndQuery, String... fields) throws Exception {
        URI uri = URI.create("http://localhost:" + server.port() + "/shop" + pathAndQuery);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (fields.length > 0) {
            request.headers(fields);
        }
        ConcurrentMap<HttpRequest, CompletableFuture<HttpResponse<String>>> pushed = new ConcurrentHashMap<>();
        HttpResponse<String> answer = Deadline.await(client.sendAsync(
                request.build(),
                BodyHandlers.ofString(),
                PushPromiseHandler.of(any -> BodyHandlers.ofString(), pushed)));
        assertEquals(Version.HTTP_2, answer.version());
        return new Pushed(answer, pushed);
    }

    @Test
    void promisesARequestAndAnswersIt() throws Exception {
        Pushed pushed = get("/page/plain");
        assertEquals("pushed", pushed.answer().body());
        assertEquals("/shop/seen/style.css", pushed.promise().uri().getPath());
        assertEquals("GET", pushed.promise().method());
        assertEquals(
                "GET /shop/seen/style.css null HTTP/2.0 referer=http://localhost:" + server.port()
                        + "/shop/page/plain range=null if-none-match=null x-mine=null session=null push=null",
                pushed.body());
    }

    @Test
    void lendsThePromisedRequestWhatTheServletSays() throws Exception {
        Pushed pushed = get("/page/all?a=1");
        assertEquals("c=3&b=2", pushed.promise().uri().getQuery());
        assertEquals("HEAD", pushed.promise().method());
        assertEquals("yes", pushed.promise().headers().firstValue("x-mine").orElseThrow());
    }

    @Test
    void takesAwayWhatHoldsForTheRequestAlone() throws Exception {
        String credentials = "Basic " + Base64.getEncoder().encodeToString(new byte[] {'a', ':', 'b'});
        Pushed pushed =
                get("/page/plain?q=1", "Range", "bytes=0-1", "If-None-Match", "\"a\"", "Authorization", credentials);
        assertEquals(List.of(), pushed.promise().headers().allValues("authorization"));
        String seen = pushed.body();
        assertEquals(
                "GET /shop/seen/style.css q=1 HTTP/2.0 referer=http://localhost:" + server.port()
                        + "/shop/page/plain?q=1 range=null if-none-match=null x-mine=null session=null push=null",
                seen);
    }

    @Test
    void bringsTheSessionThatTheResponseMakes() throws Exception {
        Pushed pushed = get("/page/session", "Cookie", "old=1; stays=2; gone=3");
        String id = pushed.answer().body();
        assertEquals(
                "stays=2; old=new; JSESSIONID=" + id,
                pushed.promise().headers().firstValue("cookie").orElseThrow());
        String seen = pushed.body();
        assertEquals("session=" + id, seen.replaceAll(".* (session=\\S+) .*", "$1"));
    }

    @Test
    void bringsTheSessionInThePathToClientsWithoutCookies() throws Exception {
        String id = get("/page/session").answer().body();
        Pushed pushed = get("/page/plain;jsessionid=" + id);
        assertEquals(
                "/shop/seen/style.css;jsessionid=" + id, pushed.promise().uri().getPath());
        assertEquals("session=" + id, pushed.body().replaceAll(".* (session=\\S+) .*", "$1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", ""})
    void refusesMethodsThatAreNotSafe(String method) throws Exception {
        assertEquals(
                "java.lang.IllegalArgumentException",
                get("/page/method", "X-Method", method).answer().body());
    }

    @Test
    void hasNoDefaultPath() throws Exception {
        assertEquals(
                "java.lang.IllegalStateException", get("/page/twice").answer().body());
    }

    @Test
    void isNoneForHttp11() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + server.port() + "/shop/page/plain"))
                .version(Version.HTTP_1_1)
                .build();
        assertEquals("none", client.send(request, BodyHandlers.ofString()).body());
    }

    /** Pushes according to its path. */
    private static final class Page extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            PushBuilder builder = request.newPushBuilder();
            if (builder == null) {
                response.getWriter().print("none");
                return;
            }
            response.getWriter().print(push(request, response, builder));
        }

        private static String push(HttpServletRequest request, HttpServletResponse response, PushBuilder builder) {
            return switch (request.getPathInfo()) {
                case "/session" -> {
                    response.addCookie(lasting("old", "new", 100));
                    response.addCookie(lasting("gone", "", 0));
                    String id = request.getSession().getId();
                    PushBuilder later = request.newPushBuilder();
                    assertNotNull(later);
                    assertEquals(id, later.getSessionId());
                    later.path("seen/x").push();
                    yield id;
                }
                case "/all" -> {
                    builder.method("HEAD").queryString("b=2").setHeader("X-Mine", "no");
                    builder.setHeader("x-mine", "yes").path("/shop/seen/all?c=3");
                    assertEquals("/shop/seen/all?c=3", builder.getPath());
                    assertEquals("yes", builder.getHeader("X-MINE"));
                    builder.push();
                    assertNull(builder.getPath());
                    yield "pushed";
                }
                case "/method" -> {
                    yield assertThrows(
                                    IllegalArgumentException.class, () -> builder.method(request.getHeader("X-Method")))
                            .getClass()
                            .getName();
                }
                case "/twice" -> {
                    builder.path("seen/once").push();
                    yield assertThrows(IllegalStateException.class, builder::push)
                            .getClass()
                            .getName();
                }
                default -> {
                    builder.path("seen/style.css").push();
                    yield "pushed";
                }
            };
        }

        private static Cookie lasting(String name, String value, int seconds) {
            Cookie cookie = new Cookie(name, value);
            cookie.setMaxAge(seconds);
            return cookie;
        }
    }

    /** Responds with the properties of the request. */
    private static final class Seen extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter()
                    .print(request.getMethod() + " " + request.getRequestURI().replaceAll(";.*", "") + " "
                            + request.getQueryString() + " " + request.getProtocol() + " referer="
                            + request.getHeader("Referer") + " range=" + request.getHeader("Range") + " if-none-match="
                            + request.getHeader("If-None-Match") + " x-mine=" + request.getHeader("X-Mine")
                            + " session=" + request.getRequestedSessionId() + " push=" + request.newPushBuilder());
        }
    }
}
