package io.millrace.jsp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody who wants to read the source of a page … */
@NullUnmarked
final class JspSourceTest {

    private static final String DECLARED = "<servlet><servlet-name>jsp</servlet-name>"
            + "<servlet-class>org.apache.jasper.servlet.JspServlet</servlet-class></servlet>";
    private static final String MAPPED =
            "<servlet-mapping><servlet-name>jsp</servlet-name><url-pattern>*.html</url-pattern></servlet-mapping>";

    @TempDir
    private static Path directory;

    private static Site site;

    @BeforeAll
    static void start() throws IOException {
        site = new Site(Files.createDirectory(directory.resolve("app")))
                .with("page.jsp", "<%-- source --%>ran")
                .with("doc.jspx", "<!-- source --><html>ran</html>")
                .with("WEB-INF/hidden.jsp", "<%-- source --%>hidden")
                .with("WEB-INF/part.jspf", "<%-- source --%>hidden")
                .start();
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/page.JSP",
                "/page.jsp%20",
                "/page.jsp.",
                "/page.jsp%2e",
                "/page.jsp/",
                "/page.jsp%2f",
                "/page.jsp%5c",
                "/page.jsp%00",
                "/page.jsp%00.html",
                "/page.jsp::$DATA",
                "/page.jsp%252e",
                "/page.jsp~",
                "/page.jsp%0a",
                "/page.jsp//",
                "/page.jsp/.",
                "/x/../page.jsp/",
                "/page.jsp/x.html",
                "/page.jsp%2fx.html",
                "/page%2ejsp%20",
                "/page.jsp%c0%80",
                "/DOC.jspx",
                "/doc.jspX",
            })
    void isNotShownIt(String target) throws Exception {
        String answer = answer("GET", target);
        assertFalse(answer.contains("source"), answer);
        assertFalse(answer.startsWith("HTTP/1.1 200"), answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/page.jsp",
                "/page%2ejsp",
                "/page.jsp;x=1",
                "/page.jsp;jsessionid=1",
                "//page.jsp",
                "/a/../page.jsp"
            })
    void isShownItsOutputAtMost(String target) throws Exception {
        String answer = answer("GET", target);
        assertFalse(answer.contains("source"), answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/WEB-INF/hidden.jsp",
                "/web-inf/hidden.jsp",
                "/%57EB-INF/hidden.jsp",
                "/WEB-INF%2fhidden.jsp",
                "/WEB-INF;x/hidden.jsp",
                "/x/..;/WEB-INF/hidden.jsp",
                "/./WEB-INF/hidden.jsp",
                "//WEB-INF/hidden.jsp",
                "/WEB-INF/part.jspf",
            })
    void doesNotGetAtPagesBelowWebInf(String target) throws Exception {
        String answer = answer("GET", target);
        assertFalse(answer.contains("hidden"), answer);
        assertTrue(answer.startsWith("HTTP/1.1 40"), answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PROPFIND", "TRACE", "get"})
    void getsNowhereByOtherMethods(String method) throws Exception {
        String answer = answer(method, "/page.jsp");
        assertFalse(answer.contains("source"), answer);
        assertFalse(answer.startsWith("HTTP/1.1 200"), answer);
    }

    /** Tomcat's conf/web.xml maps a servlet {@code jsp} of the application, too; but not one with another mapping, whose pages it then shows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                DECLARED,
                DECLARED + MAPPED,
                MAPPED,
                "<servlet><servlet-name>default</servlet-name>"
                        + "<servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class></servlet>"
                        + "<servlet-mapping><servlet-name>default</servlet-name><url-pattern>*.js</url-pattern></servlet-mapping>",
            })
    void isNotHelpedByWhatTheDescriptorSaysOfTheServlet(String descriptor, @TempDir Path other) throws Exception {
        try (Site odd = new Site(Files.createDirectory(other.resolve("app")))
                .with("page.jsp", "<%-- source --%>ran")
                .with("doc.jspx", "<!-- source --><html>ran</html>")
                .webXml(descriptor)
                .start()) {
            for (String page : List.of("/page.jsp", "/doc.jspx")) {
                String answer = answer(odd, "GET", page);
                assertTrue(answer.startsWith("HTTP/1.1 200") && answer.contains("ran"), answer);
                assertFalse(answer.contains("source"), answer);
            }
        }
    }

    private static String answer(String method, String target) throws IOException {
        return answer(site, method, target);
    }

    private static String answer(Site site, String method, String target) throws IOException {
        try (RawClient client = RawClient.connect(site.port())) {
            client.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            return client.readTextToEnd();
        }
    }
}
