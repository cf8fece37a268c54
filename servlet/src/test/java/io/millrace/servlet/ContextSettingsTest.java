package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.servlet.deploy.Archive;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Servlet 4.0 lets an application say of itself … */
final class ContextSettingsTest {

    private static final String FORM = "application/x-www-form-urlencoded";

    @TempDir
    Path directory;

    private static WebApplicationBuilder application(Consumer<ServletContext> setup) {
        return WebApplication.builder("/x")
                .configure(setup)
                .servlet(
                        "s",
                        Serving.with((request, response) -> {
                            response.setContentType("text/plain");
                            response.getWriter()
                                    .print(request.getParameter("p")
                                            + ' '
                                            + request.getCharacterEncoding()
                                            + ' '
                                            + response.getCharacterEncoding()
                                            + ' '
                                            + request.getSession().getMaxInactiveInterval());
                        }),
                        "/s");
    }

    private static HttpResponse<byte[]> post(Deployed app, String type, Charset charset) throws Exception {
        return java.net.http.HttpClient.newHttpClient()
                .send(
                        app.request("/x/s")
                                .header("Content-Type", type)
                                .POST(BodyPublishers.ofString("p=ä", charset))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
    }

    @Test
    void isTheSessionTimeoutInMinutes() throws Exception {
        try (Deployed app = Deployed.of(application(context -> {
            assertEquals(30, context.getSessionTimeout());
            context.setSessionTimeout(7);
            assertEquals(7, context.getSessionTimeout());
        }))) {
            assertEquals("null null ISO-8859-1 420", app.body("/x/s"));
        }
    }

    @Test
    void areTheEncodingsOfRequestsAndResponses() throws Exception {
        try (Deployed app = Deployed.of(application(context -> {
            assertNull(context.getRequestCharacterEncoding());
            assertNull(context.getResponseCharacterEncoding());
            context.setRequestCharacterEncoding("UTF-8");
            context.setResponseCharacterEncoding("UTF-16BE");
            assertEquals("UTF-8", context.getRequestCharacterEncoding());
            assertEquals("UTF-16BE", context.getResponseCharacterEncoding());
        }))) {
            HttpResponse<byte[]> answer = post(app, FORM, StandardCharsets.UTF_8);
            assertEquals("ä UTF-8 UTF-16BE 1800", new String(answer.body(), StandardCharsets.UTF_16BE));
            assertEquals(
                    "text/plain;charset=UTF-16BE",
                    answer.headers().firstValue("Content-Type").orElse("").replace(" ", ""));
        }
    }

    /** What the client says of its own request is more particular. */
    @Test
    void doesNotOverruleARequestThatNamesItsEncoding() throws Exception {
        try (Deployed app = Deployed.of(application(context -> context.setRequestCharacterEncoding("UTF-8")))) {
            HttpResponse<byte[]> answer = post(app, FORM + ";charset=ISO-8859-1", StandardCharsets.ISO_8859_1);
            assertEquals("ä ISO-8859-1 ISO-8859-1 1800", new String(answer.body(), StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void canBeSaidInWebXml() throws Exception {
        Path war = new Archive().with("WEB-INF/web.xml", """
                        <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0">
                          <default-context-path>/x</default-context-path>
                          <request-character-encoding>UTF-8</request-character-encoding>
                          <response-character-encoding>UTF-16</response-character-encoding>
                          <session-config><session-timeout>9</session-timeout></session-config>
                        </web-app>""").writeTo(directory.resolve("a.war"));
        WebApplication application = WebApplication.war(war);
        try (Deployed app = Deployed.of(application)) {
            ServletContext context = application.servletContext();
            assertEquals("/x", context.getContextPath());
            assertEquals("UTF-8", context.getRequestCharacterEncoding());
            assertEquals("UTF-16", context.getResponseCharacterEncoding());
            assertEquals(9, context.getSessionTimeout());
            assertEquals(4, context.getEffectiveMajorVersion());
            assertEquals(0, context.getEffectiveMinorVersion());
            assertEquals(404, app.get("/x/nothing").statusCode());
        }
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", emptyValue = "", textBlock = """
            /shop/eu,  -,      /shop/eu
            /shop,     /other, /other
            /shop,     /,      ''
            '',        -,      ''
            shop,      -,      ''
            /shop/,    -,      ''
            """)
    void isTheContextPathUnlessTheOperatorNamesOne(String declared, String named, String expected) throws Exception {
        Path war = new Archive()
                .with(
                        "WEB-INF/web.xml",
                        "<web-app version=\"4.0\"><default-context-path>" + declared
                                + "</default-context-path></web-app>")
                .writeTo(directory.resolve("a.war"));
        WebApplication application = WebApplication.war(war);
        assertEquals(expected, (named == null ? application : application.contextPath(named)).contextPath());
    }

    @Test
    void isTooLateOnceItHasStarted() throws Exception {
        WebApplication application = application(context -> {}).build();
        try (Deployed app = Deployed.of(application)) {
            ServletContext context = application.servletContext();
            assertThrows(IllegalStateException.class, () -> context.setSessionTimeout(1));
            assertThrows(IllegalStateException.class, () -> context.setRequestCharacterEncoding("UTF-8"));
            assertThrows(IllegalStateException.class, () -> context.setResponseCharacterEncoding("UTF-8"));
            assertThrows(IllegalStateException.class, () -> context.addJspFile("page", "/page.jsp"));
            assertEquals(404, app.get("/x/nothing").statusCode());
        }
    }

    @Test
    void arePagesAsServlets() throws Exception {
        Deployed.of(application(context -> {
                    assertNotNull(context.addJspFile("page", "/page.jsp"));
                    assertNull(context.addJspFile("page", "/other.jsp"), "it is complete");
                    assertThrows(IllegalArgumentException.class, () -> context.addJspFile("", "/page.jsp"));
                    assertThrows(IllegalArgumentException.class, () -> context.addJspFile(null, "/page.jsp"));
                }))
                .close();
    }

    /** A servlet that a descriptor only names is completed (Servlet 4.0, ServletContext.addJspFile). */
    @Test
    void isThePageOfAServletThatIsOnlyNamed() throws Exception {
        List<String> patterns = new CopyOnWriteArrayList<>();
        WebApplicationBuilder application = application(context ->
                        patterns.addAll(context.addJspFile("page", "/page.jsp").getMappings()))
                .model(model -> model.servlet("page").mappings.add("/p"));
        Deployed.of(application).close();
        assertEquals(List.of("/p"), patterns);
    }

    /** Listeners implement what they need: all methods have defaults. */
    @Test
    void areListenersOfOneMethod() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        class Context implements ServletContextListener {
            @Override
            public void contextDestroyed(ServletContextEvent event) {
                events.add("context destroyed");
            }
        }
        class Requests implements ServletRequestListener {
            @Override
            public void requestInitialized(ServletRequestEvent event) {
                events.add("request");
            }
        }
        class Sessions implements HttpSessionListener {
            @Override
            public void sessionCreated(HttpSessionEvent event) {
                events.add("session");
            }
        }
        try (Deployed app = Deployed.of(application(context -> {
                    context.addListener(new Requests());
                    context.addListener(new Sessions());
                })
                .listener(new Context()))) {
            app.get("/x/s");
        }
        assertEquals(List.of("request", "session", "context destroyed"), events);
    }
}
