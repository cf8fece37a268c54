package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.testkit.Sources;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A WAR is deployed under the server's own descriptors; it … */
class DefaultsInWarTest {

    private static final Map<String, byte[]> CLASSES = Sources.compile(
            "package shop; import javax.servlet.*; import javax.servlet.annotation.*; import javax.servlet.http.*;"
                    + "@WebListener public class Setup implements ServletContextListener {"
                    + " public void contextInitialized(ServletContextEvent event) {"
                    + " ServletRegistration.Dynamic all = event.getServletContext().addServlet(\"all\", new Page());"
                    + " if (!all.addMapping(\"/\", \"*.page\").isEmpty()) throw new IllegalStateException(\"taken\"); } }",
            "package shop; import javax.servlet.http.*; public class Page extends HttpServlet {"
                    + " protected void doGet(HttpServletRequest request, HttpServletResponse response)"
                    + " throws java.io.IOException { response.getWriter().print(\"the application's\"); } }",
            "package shop; public class Weaver implements java.util.EventListener { }");

    /** As Tomcat's, and one more. */
    private static final String DEFAULTS = Archive.webApp("""
            <servlet><servlet-name>default</servlet-name>
              <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
              <init-param><param-name>listings</param-name><param-value>true</param-value></init-param>
              <load-on-startup>1</load-on-startup></servlet>
            <servlet><servlet-name>pages</servlet-name><servlet-class>shop.Page</servlet-class></servlet>
            <servlet-mapping><servlet-name>default</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
            <servlet-mapping><servlet-name>pages</servlet-name><url-pattern>*.page</url-pattern></servlet-mapping>
            """);

    @TempDir
    Path directory;

    private WebApplication application(Archive war) throws IOException {
        Path file = Files.writeString(directory.resolve("web.xml"), DEFAULTS);
        return WebApplication.war(war.writeTo(directory.resolve("shop.war")))
                .workDirectory(directory.resolve("work"))
                .deployment(
                        DeploymentOptions.DEFAULT.withDefaults(DefaultDescriptors.of(Map.of("conf/web.xml", file))));
    }

    private static Server start(WebApplication application) throws IOException {
        return Server.builder().port(0).failFast(true).application(application).start();
    }

    private static HttpResponse<String> get(Server server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void hasTheirServlets() throws Exception {
        Archive war = new Archive().with("files/a.txt", "a").classes(CLASSES).webXml("");
        war.with("WEB-INF/web.xml", "<web-app version=\"3.1\" metadata-complete=\"true\"/>");
        try (Server server = start(application(war))) {
            assertTrue(get(server, "/files/").body().contains("a.txt"));
            assertEquals("the application's", get(server, "/x.page").body());
        }
    }

    /** A mapping in the application's descriptor replaces those of the server's, of which none has to be written in a file. */
    @Test
    void serveFilesWhereTheApplicationMapsThemOnly() throws Exception {
        Archive war =
                new Archive().with("static/a.txt", "a").with("b.txt", "secret").classes(CLASSES);
        war.with("WEB-INF/web.xml", Archive.webApp("""
                        <servlet-mapping><servlet-name>default</servlet-name><url-pattern>/static/*</url-pattern></servlet-mapping>
                        """).replace("<web-app", "<web-app metadata-complete=\"true\""));
        WebApplication withoutFile = WebApplication.war(war.writeTo(directory.resolve("other.war")))
                .workDirectory(directory.resolve("work"));
        for (WebApplication each : List.of(application(war), withoutFile)) {
            try (Server server = start(each)) {
                assertEquals("a", get(server, "/static/a.txt").body());
                HttpResponse<String> hidden = get(server, "/b.txt");
                assertEquals(404, hidden.statusCode());
                assertTrue(hidden.body().contains("404"), "a page");
            }
        }
    }

    /** Spring's initializers do. */
    @Test
    void mayClaimTheirUrlPatternsInCode() throws Exception {
        try (Server server = start(application(new Archive().classes(CLASSES)))) {
            assertEquals("the application's", get(server, "/anything").body());
            assertEquals("the application's", get(server, "/x.page").body());
        }
    }

    @Test
    void isProtectedByWhatItBringsForTomcatAlone() throws Exception {
        Archive war = new Archive().with("a.txt", "secret").with("WEB-INF/tomcat-web.xml", Archive.webApp("""
                        <security-constraint><web-resource-collection><web-resource-name>all</web-resource-name>
                          <url-pattern>/*</url-pattern></web-resource-collection><auth-constraint/></security-constraint>
                        """));
        try (Server server = start(application(war))) {
            assertEquals(403, get(server, "/a.txt").statusCode());
        }
    }

    /** Several do, and are ready for a ClassCastException, but not for a missing class. */
    @Test
    void mayAskForTomcatsClassLoader() throws Exception {
        Map<String, byte[]> asking = Sources.compile("package shop; import javax.servlet.annotation.*; import"
                + " javax.servlet.http.*; import org.apache.catalina.loader.WebappClassLoader;"
                + "@WebServlet(\"/ask\") public class Asking extends HttpServlet {"
                + " protected void doGet(HttpServletRequest request, HttpServletResponse response)"
                + " throws java.io.IOException { String answer = \"Tomcat\";"
                + " try { WebappClassLoader own = (WebappClassLoader) getClass().getClassLoader(); own.close(); }"
                + " catch (ClassCastException e) { answer = \"another\"; } response.getWriter().print(answer); } }");
        try (Server server = start(application(new Archive().classes(asking)))) {
            assertEquals("another", get(server, "/ask").body());
        }
    }

    @Test
    void startsIfAListenerListensToNothing() throws Exception {
        Archive war = new Archive()
                .with("a.txt", "a")
                .classes(CLASSES)
                .webXml("<listener><listener-class>shop.Weaver</listener-class></listener>");
        try (Server server = start(application(war))) {
            assertEquals("the application's", get(server, "/a").body());
        }
    }

    @Test
    void doesNotStartIfAFilterOfTomcatsIsMissing() throws Exception {
        WebApplication application = application(new Archive()
                .webXml("<filter><filter-name>f</filter-name><filter-class>org.apache.catalina.filters.NoSuchFilter"
                        + "</filter-class></filter><filter-mapping><filter-name>f</filter-name>"
                        + "<url-pattern>/*</url-pattern></filter-mapping>"));
        String expected = "filter \"f\" is of class org.apache.catalina.filters.NoSuchFilter, a part of Tomcat that "
                + "Millrace does not have";
        assertTrue(
                application.inspect().defects().get(0).startsWith(expected),
                application.inspect().defects().get(0));
        IllegalStateException refusal = assertThrows(
                IllegalStateException.class, () -> start(application).close());
        Throwable cause = refusal.getCause();
        assertTrue(
                cause instanceof DeploymentException
                        && String.valueOf(cause.getMessage()).startsWith(expected),
                String.valueOf(cause));
        assertEquals(0, cause.getStackTrace().length);
    }

    /** It is logged: the operator needs the place of the mistake, once, and no traces of the server and the XML parser. */
    @ParameterizedTest
    @ValueSource(strings = {"<web-app>", "<web-app><security-constraints/></web-app>"})
    void saysWhatIsWrongInOneSentence(String webXml) throws Exception {
        WebApplication application = application(new Archive());
        Files.writeString(directory.resolve("web.xml"), webXml);
        Throwable cause = assertThrows(
                        IllegalStateException.class, () -> start(application).close())
                .getCause();
        assertTrue(cause instanceof DeploymentException, String.valueOf(cause));
        assertNull(cause.getCause());
    }

    @Test
    void doesNotStartIfTheyAreWrong() throws Exception {
        WebApplication application = application(new Archive());
        Files.writeString(directory.resolve("web.xml"), "<web-app>\n<security-constraints/></web-app>");
        assertThrows(IllegalStateException.class, () -> start(application).close());
        Files.writeString(directory.resolve("web.xml"), "<web-app/>");
        start(application).close();
    }

    /** Neither its initializers nor its listeners run, nor are their classes loaded. */
    @Test
    void isLookedThroughWithoutRunningIt() throws Exception {
        Map<String, byte[]> loud = Sources.compile("package shop; import javax.servlet.*; public class Loud"
                + " implements ServletContainerInitializer { static { if (true) throw new Error(\"loaded\"); }"
                + " public void onStartup(java.util.Set<Class<?>> types, ServletContext context) { } }");
        WebApplication application = application(new Archive()
                .classes(loud)
                .with("WEB-INF/classes/META-INF/services/javax.servlet.ServletContainerInitializer", "shop.Loud")
                .webXml("<listener><listener-class>no.Such</listener-class></listener>"));
        assertEquals(
                List.of(
                        "a listener is of class no.Such, which is neither in WEB-INF/classes nor in WEB-INF/lib; without it"
                                + " what it sets up would be missing, so the application does not start: add the class, or remove"
                                + " it from the descriptor"),
                application.inspect().defects());
        assertFalse(Files.exists(directory.resolve("work")));
    }
}
