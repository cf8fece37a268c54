package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import javax.servlet.MultipartConfigElement;
import javax.servlet.http.Cookie;
import javax.servlet.http.Part;
import org.junit.jupiter.api.Test;

@OnDefaultCarriers
class RequestTest {

    private final Carrier carrier;

    RequestTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private Deployed deploy(Serving.Action action) throws Exception {
        return Deployed.on(carrier, WebApplication.builder("/c").servlet("s", Serving.with(action), registration -> {
            registration.addMapping("/s/*");
            registration.setMultipartConfig(new MultipartConfigElement(""));
        }));
    }

    @Test
    void readsParametersOfQueryAndForm() throws Exception {
        try (Deployed app = deploy((request, response) -> response.getOutputStream()
                .print(Arrays.toString(request.getParameterValues("a"))
                        + request.getParameter("b")
                        + Collections.list(request.getParameterNames())))) {
            assertEquals(
                    "[1, 2]x y[a, b]",
                    app.post("/c/s?a=1", "application/x-www-form-urlencoded", "a=2&b=x+y")
                            .body());
        }
    }

    @Test
    void leavesTheBodyToWhoReadsIt() throws Exception {
        try (Deployed app = deploy((request, response) -> {
            String body = request.getReader().readLine();
            response.getOutputStream().print(body + "|" + request.getParameter("a"));
        })) {
            assertEquals(
                    "a=2|1",
                    app.post("/c/s?a=1", "application/x-www-form-urlencoded", "a=2")
                            .body());
        }
    }

    @Test
    void hasOneOfStreamAndReader() throws Exception {
        try (Deployed app = deploy((request, response) -> {
            request.getInputStream();
            request.getReader();
        })) {
            assertEquals(500, app.post("/c/s", "text/plain", "x").statusCode());
        }
    }

    @Test
    void decodesTheBodyWithTheConfiguredEncoding() throws Exception {
        try (Deployed app = deploy((request, response) -> {
            response.setContentType("text/plain;charset=UTF-8");
            if (request.getQueryString() != null) {
                request.setCharacterEncoding(request.getQueryString());
            }
            response.getWriter()
                    .print(request.getCharacterEncoding() + " "
                            + request.getReader().readLine());
        })) {
            assertEquals("UTF-8 ä", app.post("/c/s?UTF-8", "text/plain", "ä").body());
            assertEquals(
                    "utf-8 ä",
                    app.post("/c/s", "text/plain; charset=utf-8", "ä").body());
            assertEquals("null Ã¤", app.post("/c/s", "text/plain", "ä").body());
            assertEquals(500, app.post("/c/s?no-such", "text/plain", "ä").statusCode());
        }
    }

    @Test
    void readsParts() throws Exception {
        try (Deployed app = deploy((request, response) -> response.getOutputStream()
                .print(request.getParts().stream().map(Part::getName).collect(Collectors.joining(","))
                        + request.getPart("f").getSubmittedFileName()
                        + request.getPart("f").getSize()
                        + request.getParameter("a")))) {
            String body = """
                    --b
                    Content-Disposition: form-data; name="a"

                    1
                    --b
                    Content-Disposition: form-data; name="f"; filename="x.txt"

                    12345
                    --b--
                    """.replace("\n", "\r\n");
            assertEquals(
                    "a,fx.txt51",
                    app.post("/c/s", "multipart/form-data; boundary=b", body).body());
        }
    }

    @Test
    void returnsAddressesAndUrl() throws Exception {
        try (Deployed app = deploy((request, response) -> response.getOutputStream()
                .print(request.getRequestURL() + " " + request.getServerName() + " "
                        + (request.getServerPort() == request.getLocalPort()) + " " + request.getRemoteAddr() + " "
                        + request.getLocalAddr() + " " + request.getLocalName() + " " + request.getProtocol() + " "
                        + request.getScheme() + " " + request.isSecure()))) {
            assertEquals(
                    "http://127.0.0.1:" + app.port()
                            + "/c/s/a%20b 127.0.0.1 true 127.0.0.1 127.0.0.1 localhost HTTP/1.1 http false",
                    app.body("/c/s/a%20b"));
        }
    }

    @Test
    void readsHeaderFields() throws Exception {
        try (Deployed app = deploy((request, response) -> response.getOutputStream()
                .print(request.getIntHeader("X-N") + " " + request.getDateHeader("X-D") + " "
                        + Collections.list(request.getHeaders("x-l")) + " " + request.getIntHeader("X-No") + " "
                        + request.getLocale()))) {
            assertEquals(
                    "42 784111777000 [a, b] -1 de_CH",
                    app.send(app.request("/c/s")
                                    .header("X-N", "42")
                                    .header("X-D", "Sun, 06 Nov 1994 08:49:37 GMT")
                                    .header("X-L", "a")
                                    .header("X-L", "b")
                                    .header("Accept-Language", "en;q=0.5, de-CH"))
                            .body());
        }
    }

    @Test
    void keepsASessionByItsCookie() throws Exception {
        try (Deployed app = deploy((request, response) -> {
            Object before = request.getSession().getAttribute("n");
            request.getSession().setAttribute("n", before == null ? 1 : (Integer) before + 1);
            response.getOutputStream().print(before + " " + request.getSession().isNew());
        })) {
            var first = app.get("/c/s");
            assertEquals("null true", first.body());
            String cookie = first.headers().firstValue("Set-Cookie").orElseThrow();
            assertTrue(cookie.startsWith("JSESSIONID="));
            String pair = cookie.substring(0, cookie.indexOf(';'));
            assertEquals(
                    "1 false",
                    app.send(app.request("/c/s").header("Cookie", pair)).body());
        }
    }

    @Test
    void readsCookies() throws Exception {
        try (Deployed app = deploy((request, response) -> response.getOutputStream()
                .print(Arrays.stream(request.getCookies()).map(Cookie::getName).collect(Collectors.joining(","))))) {
            assertEquals(
                    "a,b",
                    app.send(app.request("/c/s").header("Cookie", "a=1; b=2")).body());
        }
    }

    @Test
    void notifiesListenersOfAttributes() throws Exception {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        try (Deployed app = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .listener(new javax.servlet.ServletRequestAttributeListener() {
                            @Override
                            public void attributeAdded(javax.servlet.ServletRequestAttributeEvent event) {
                                told.add("+" + event.getValue());
                            }

                            @Override
                            public void attributeReplaced(javax.servlet.ServletRequestAttributeEvent event) {
                                told.add("*" + event.getValue());
                            }

                            @Override
                            public void attributeRemoved(javax.servlet.ServletRequestAttributeEvent event) {
                                told.add("-" + event.getValue());
                            }
                        })
                        .servlet(
                                "s",
                                Serving.with((request, response) -> {
                                    request.setAttribute("a", 1);
                                    request.setAttribute("a", 2);
                                    request.setAttribute("a", null);
                                    request.removeAttribute("a");
                                }),
                                "/s"))) {
            app.get("/s");
            assertEquals("+1*1-2", String.join("", told));
        }
    }
}
