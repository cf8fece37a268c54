package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.testkit.Sources;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two annotated classes with one name, of which Tomcat leaves one out without a word … */
class SameNamesInWarTest {

    private static final Map<String, byte[]> CLASSES =
            Sources.compile(servlet("A"), servlet("B"), filter("Guard", "/a", 403), filter("Other", "/b", 401));

    @TempDir
    Path directory;

    private static String servlet(String name) {
        return "package shop; import javax.servlet.annotation.*; import javax.servlet.http.*;"
                + "@WebServlet(name = \"same\", urlPatterns = {\"/" + name.toLowerCase(Locale.ROOT)
                + "\", \"/open/" + name + "\"}) public class " + name + " extends HttpServlet {"
                + " protected void doGet(HttpServletRequest request, HttpServletResponse response)"
                + " throws java.io.IOException { response.getWriter().print(\"" + name + " \" + getServletName()); } }";
    }

    private static String filter(String name, String pattern, int status) {
        return "package shop; import javax.servlet.*; import javax.servlet.annotation.*; import javax.servlet.http.*;"
                + "@WebFilter(filterName = \"same\", urlPatterns = \"" + pattern + "\") public class " + name
                + " extends HttpFilter {"
                + " protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)"
                + " throws java.io.IOException { response.sendError(" + status + "); } }";
    }

    private WebApplication application() throws IOException {
        return WebApplication.war(new Archive().classes(CLASSES).writeTo(directory.resolve("shop.war")))
                .contextPath("/shop")
                .workDirectory(directory.resolve("work"));
    }

    @Test
    void areBothUsed() throws Exception {
        try (Server server = Server.builder()
                .port(0)
                .failFast(true)
                .application(application())
                .start()) {
            assertEquals("A same", get(server, "/open/A").body());
            assertEquals("B shop.B", get(server, "/open/B").body());
            assertEquals(403, get(server, "/a").statusCode());
            assertEquals(401, get(server, "/b").statusCode());
        }
    }

    @Test
    void areNamedByAnInspection() throws Exception {
        List<String> warnings = application().inspect().warnings();
        for (String found : List.of("@WebServlet of class shop.B", "@WebFilter of class shop.Other")) {
            assertTrue(
                    warnings.stream().anyMatch(warning -> warning.contains(found) && warning.contains("\"same\" too")),
                    () -> found + " in " + warnings);
        }
    }

    private static HttpResponse<String> get(Server server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/shop" + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
