package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code f:websocket} of Mojarra 2.3 with Weld 3.1, on a page of PrimeFaces 10, unchanged, on the product: it … */
@NullUnmarked
@Tag("wars")
final class FacesPushIT {

    private static final String DESCRIPTOR = """
            <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="3.1">
              <context-param>
                <param-name>javax.faces.ENABLE_WEBSOCKET_ENDPOINT</param-name>
                <param-value>true</param-value>
              </context-param>
              <servlet>
                <servlet-name>faces</servlet-name>
                <servlet-class>javax.faces.webapp.FacesServlet</servlet-class>
                <load-on-startup>1</load-on-startup>
              </servlet>
              <servlet-mapping>
                <servlet-name>faces</servlet-name>
                <url-pattern>*.xhtml</url-pattern>
              </servlet-mapping>
            </web-app>
            """;

    private static final String BEANS = """
            <beans xmlns="http://xmlns.jcp.org/xml/ns/javaee" bean-discovery-mode="all" version="2.0" />
            """;

    private static final String PAGE = """
            <html xmlns="http://www.w3.org/1999/xhtml" xmlns:h="http://xmlns.jcp.org/jsf/html"
                xmlns:f="http://xmlns.jcp.org/jsf/core" xmlns:p="http://primefaces.org/ui">
              <h:head><title>News</title></h:head>
              <h:body><f:websocket channel="news" onmessage="show" /><p:outputLabel value="hello" /></h:body>
            </html>
            """;

    /** Sends to the channel, as a bean of an application would. */
    private static final String PUSH = """
            <%@ page import="javax.enterprise.inject.spi.CDI" %>
            <%@ page import="javax.enterprise.util.AnnotationLiteral" %>
            <%@ page import="javax.faces.push.Push, javax.faces.push.PushContext" %>
            <%!
              static class News extends AnnotationLiteral<Push> implements Push {
                public String channel() {
                  return "news";
                }
              }
            %>
            <%= CDI.current().select(PushContext.class, new News()).get().send(request.getParameter("text")).size() %>
            """;

    private static final Pattern SOCKET = Pattern.compile("'ws://[^/]*(/faces/javax\\.faces\\.push/news\\?[^']*)'");

    /** Weld takes WEB-INF/classes for an archive of beans only if a class is in it. */
    public static final class Bean {}

    @TempDir
    private static Path work;

    private static Product product;

    @BeforeAll
    static void start() throws Exception {
        Path application = Files.createDirectory(work.resolve("faces"));
        Path libraries = Files.createDirectories(application.resolve("WEB-INF/lib"));
        try (var jars = Files.newDirectoryStream(Path.of(Product.war("faces-libraries")))) {
            for (Path jar : jars) {
                Files.copy(jar, libraries.resolve(jar.getFileName()));
            }
        }
        Path bean = application
                .resolve("WEB-INF/classes")
                .resolve(Bean.class.getName().replace('.', '/') + ".class");
        Files.createDirectories(bean.getParent());
        try (InputStream in = Objects.requireNonNull(FacesPushIT.class
                .getClassLoader()
                .getResourceAsStream(Bean.class.getName().replace('.', '/') + ".class"))) {
            Files.copy(in, bean);
        }
        Files.writeString(application.resolve("WEB-INF/web.xml"), DESCRIPTOR);
        Files.writeString(application.resolve("WEB-INF/beans.xml"), BEANS);
        Files.writeString(application.resolve("index.xhtml"), PAGE);
        Files.writeString(application.resolve("push.jsp"), PUSH);
        product = Product.serving(
                "run", "--port=0", "--address=127.0.0.1", "--work=" + work.resolve("work"), application.toString());
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    private static String get(HttpClient client, String path) throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(product.url(path))).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        return answer.body();
    }

    @Test
    void pushesToThePage() throws Exception {
        HttpClient browser =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        String page = get(browser, "/faces/index.xhtml");
        assertTrue(page.contains("ui-outputlabel"), page);
        Matcher socket = SOCKET.matcher(page);
        assertTrue(socket.find(), page);
        ProductSocket pushed = ProductSocket.open(product, socket.group(1));
        assertEquals("1", get(browser, "/faces/push.jsp?text=hello").strip());
        assertEquals("text {\"data\":\"hello\"}", pushed.next());
        pushed.close();
        assertEquals("close 1000", pushed.next());
        assertFalse(product.has(" ERROR "), product.output());
    }
}
