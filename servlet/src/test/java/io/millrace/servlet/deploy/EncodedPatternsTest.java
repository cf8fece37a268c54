package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.model.UrlPattern;
import io.millrace.testkit.Sources;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URL patterns that are written with percent-escapes mean the decoded path, whatever their source. */
class EncodedPatternsTest {

    private static final Map<String, byte[]> CLASSES = Sources.compile(
            "package shop; import javax.servlet.*; import javax.servlet.annotation.*; import javax.servlet.http.*;"
                    + "@WebListener public class Setup implements ServletContextListener {"
                    + " public void contextInitialized(ServletContextEvent event) {"
                    + " ServletContext context = event.getServletContext();"
                    + " context.addServlet(\"coded\", new Page()).addMapping(\"/prog%20enc\", \"/prog%20dir/*\");"
                    + " context.addFilter(\"coded\", Marker.class).addMappingForUrlPatterns(null, true, \"/prog%20f\");"
                    + " try { context.addServlet(\"bad\", new Page()).addMapping(\"/bad%zz\");"
                    + " throw new IllegalStateException(\"accepted\"); }"
                    + " catch (IllegalArgumentException malformed) { } } }",
            "package shop; import javax.servlet.annotation.*; import javax.servlet.http.*;"
                    + "@WebServlet(\"/anno%20enc\") public class Page extends HttpServlet {"
                    + " protected void doGet(HttpServletRequest request, HttpServletResponse response)"
                    + " throws java.io.IOException { response.getWriter().print(\"page\"); } }",
            "package shop; import javax.servlet.annotation.*; import javax.servlet.http.*;"
                    + "@WebServlet(\"/closed%20anno\") @ServletSecurity(@HttpConstraint(ServletSecurity.EmptyRoleSemantic.DENY))"
                    + " public class Closed extends HttpServlet { }",
            "package shop; import javax.servlet.*; import javax.servlet.annotation.*; import javax.servlet.http.*;"
                    + "@WebFilter(\"/anno%20f\") public class Marker extends HttpFilter {"
                    + " protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)"
                    + " throws java.io.IOException { response.getWriter().print(\"filter\"); } }");

    private static final String DESCRIPTOR = Archive.webApp("""
            <servlet><servlet-name>page</servlet-name><servlet-class>shop.Page</servlet-class></servlet>
            <servlet-mapping><servlet-name>page</servlet-name><url-pattern>/xml%20enc</url-pattern></servlet-mapping>
            <servlet-mapping><servlet-name>page</servlet-name><url-pattern>/xml%20dir/*</url-pattern></servlet-mapping>
            <servlet-mapping><servlet-name>page</servlet-name><url-pattern>*.%68tmx</url-pattern></servlet-mapping>
            <servlet-mapping><servlet-name>page</servlet-name><url-pattern>/percent%2541</url-pattern></servlet-mapping>
            <filter><filter-name>marker</filter-name><filter-class>shop.Marker</filter-class></filter>
            <filter-mapping><filter-name>marker</filter-name><url-pattern>/%68</url-pattern></filter-mapping>
            <error-page><error-code>404</error-code><location>/xml%20enc</location></error-page>
            <security-constraint>
              <web-resource-collection><web-resource-name>closed</web-resource-name>
                <url-pattern>/a%20b</url-pattern><url-pattern>/secret%20dir/*</url-pattern>
                <url-pattern>/gr%C3%BCn</url-pattern><url-pattern>*.%73ecret</url-pattern></web-resource-collection>
              <auth-constraint/>
            </security-constraint>
            """);

    @TempDir
    Path directory;

    private WebApplication application(String descriptor) throws IOException {
        Archive war = new Archive().with("WEB-INF/web.xml", descriptor);
        war.classes(CLASSES);
        for (String file : List.of("a b", "secret dir/s.txt", "grün", "x.secret", "open.txt")) {
            war.with(file, "secret");
        }
        return WebApplication.war(war.writeTo(directory.resolve("shop.war")))
                .contextPath("/shop")
                .workDirectory(directory.resolve("work"));
    }

    private static String get(Server server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/shop" + path);
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() == 403 ? "403" : response.statusCode() + " " + response.body();
    }

    @Test
    void meanTheDecodedPath() throws Exception {
        try (Server server = Server.builder()
                .port(0)
                .failFast(true)
                .application(application(DESCRIPTOR))
                .start()) {
            for (String closed : List.of(
                    "/a%20b",
                    "/secret%20dir/s.txt",
                    "/secret%20dir",
                    "/secret%20%64ir/s.txt",
                    "/gr%C3%BCn",
                    "/x.secret",
                    "/closed%20anno")) {
                assertEquals("403", get(server, closed), closed);
            }
            for (String mapped : List.of(
                    "/xml%20enc",
                    "/xml%20dir/x", "/x.htmx", "/percent%2541", "/anno%20enc", "/prog%20enc", "/prog%20dir/x")) {
                assertEquals("200 page", get(server, mapped), mapped);
            }
            for (String filtered : List.of("/h", "/anno%20f", "/prog%20f")) {
                assertEquals("200 filter", get(server, filtered), filtered);
            }
            assertEquals("404 page", get(server, "/nothing"));
            assertEquals("200 secret", get(server, "/open.txt"));
        }
    }

    @Test
    void areNamedByAnInspection() throws Exception {
        List<String> warnings = application(DESCRIPTOR).inspect().warnings();
        for (String written : List.of(
                "/a%20b", "/secret%20dir/*", "/xml%20enc", "/%68", "/anno%20enc", "/anno%20f", "/closed%20anno")) {
            assertEquals(
                    1,
                    warnings.stream()
                            .filter(warning -> warning.contains("the URL pattern \"" + written + "\" is decoded"))
                            .count(),
                    written + " in " + warnings);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/100%", "/%4", "/%zz", "/%+1", "/%C3", "/%C0%AF", "/x%0A"})
    void areRefusedIfTheirEscapesAreMalformed(String pattern) throws Exception {
        String descriptor = DESCRIPTOR.replace("/a%20b", pattern);
        assertTrue(application(descriptor).inspect().defects().get(0).contains("is not a URL pattern"));
    }

    @ParameterizedTest
    @CsvSource({"/a%20b,/a b", "/%2e,/.", "/a+b,/a+b", "/%25,/%", "/ü%C3%BC,/üü", "*.%6a%73p,*.jsp", "/,/"})
    void areDecodedOnce(String written, String decoded) {
        assertEquals(decoded, UrlPattern.decoded(written));
    }

    @Test
    void sayWhatIsWrong() {
        String message = assertThrows(IllegalArgumentException.class, () -> UrlPattern.decoded("/100%"))
                .getMessage();
        assertEquals(
                "the percent sign at index 4 is not followed by two hexadecimal digits; a percent sign itself is written %25",
                message);
    }
}
