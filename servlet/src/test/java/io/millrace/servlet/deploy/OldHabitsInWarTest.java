package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.testkit.Sources;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What old libraries expect of a class loader and of the context. */
class OldHabitsInWarTest {

    private static final Map<String, byte[]> CLASSES = Sources.compile(
            "package shop; import javax.servlet.annotation.*; import javax.servlet.http.*;"
                    + "@WebServlet(\"/find\") public class Find extends HttpServlet {"
                    + " protected void doGet(HttpServletRequest request, HttpServletResponse response)"
                    + " throws java.io.IOException { String name = request.getParameter(\"name\");"
                    + " ClassLoader loader = Thread.currentThread().getContextClassLoader();"
                    + " java.net.URL url = loader.getResource(name);"
                    + " boolean many = loader.getResources(name).hasMoreElements();"
                    + " boolean stream = loader.getResourceAsStream(name) != null;"
                    + " String text = url == null ? \"none\" : url.toString().replaceFirst(\".*/webapp/\", \"\").replaceFirst(\".*!\", \"!\");"
                    + " response.getWriter().print(text + \" \" + (many == (url != null) && stream == (url != null))); } }",
            "package shop; import javax.servlet.*; import javax.servlet.annotation.*; import javax.servlet.http.*;"
                    + "@WebServlet(\"/libs\") public class Libs extends HttpServlet {"
                    + " protected void doGet(HttpServletRequest request, HttpServletResponse response)"
                    + " throws java.io.IOException {"
                    + " response.getWriter().print(getServletContext().getAttribute(ServletContext.ORDERED_LIBS)); } }");

    @TempDir
    Path directory;

    private Server server;

    @BeforeEach
    void deploy() throws IOException {
        server = start("<absolute-ordering><name>second</name><others/></absolute-ordering>");
    }

    private Server start(String elements) throws IOException {
        Archive war = new Archive()
                .with("WEB-INF/web.xml", Archive.webApp(elements))
                .classes(CLASSES)
                .with("WEB-INF/classes/t/own.properties", "own")
                .with("page.html", "page")
                .library("a.jar", Archive.fragment("<name>first</name>").with("t/jar.properties", "jar"))
                .library("b.jar", Archive.fragment("<name>second</name>"));
        Path work = directory.resolve("work" + elements.length());
        return Server.builder()
                .port(0)
                .failFast(true)
                .application(WebApplication.war(war.writeTo(directory.resolve("shop" + elements.length() + ".war")))
                        .contextPath("/shop")
                        .workDirectory(work))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String get(Server server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/shop" + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @ParameterizedTest
    @CsvSource({
        "/t/own.properties, WEB-INF/classes/t/own.properties",
        "t/own.properties, WEB-INF/classes/t/own.properties",
        "t/../t/own.properties, WEB-INF/classes/t/own.properties",
        "/t/jar.properties, !/t/jar.properties",
        "/, WEB-INF/classes/",
        "../, WEB-INF/",
        "../web.xml, WEB-INF/web.xml",
        "../../page.html, page.html",
        "t/../../web.xml, WEB-INF/web.xml",
        "t/own.properties/, none",
        "../web.xml/, none",
        "../nothing, none",
        "../../../tmp, none",
        "../../../../shop.war, none"
    })
    void findsResourcesHoweverTheirNamesAreWritten(String name, String expected) throws Exception {
        assertEquals(expected + " true", get(server, "/find?name=" + URLEncoder.encode(name, StandardCharsets.UTF_8)));
    }

    @Test
    void answers404ForAServletWithoutAClassAndServesTheRest() throws Exception {
        String elements = "<servlet><servlet-name>none</servlet-name><load-on-startup>1</load-on-startup></servlet>"
                + "<servlet-mapping><servlet-name>none</servlet-name><url-pattern>/page.html</url-pattern></servlet-mapping>";
        try (Server lacking = start(elements)) {
            URI uri = URI.create("http://127.0.0.1:" + lacking.port() + "/shop/page.html");
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            assertEquals(
                    404,
                    HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.ofString())
                            .statusCode());
            assertEquals("null", get(lacking, "/libs"));
        }
    }

    @Test
    void tellsTheOrderOfLibrariesIfOneIsSpecified() throws Exception {
        assertEquals("[b.jar, a.jar]", get(server, "/libs"));
        try (Server unordered = start("")) {
            assertEquals("null", get(unordered, "/libs"));
        }
    }
}
