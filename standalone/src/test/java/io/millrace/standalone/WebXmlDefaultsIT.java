package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace start} with Tomcat's own conf/web.xml, in which an operator has changed this and that … */
@NullUnmarked
@Tag("wars")
final class WebXmlDefaultsIT {

    private static final String SERVER_XML = """
            <Server port="-1">
              <Service name="test">
                <Connector port="0" address="127.0.0.1" redirectPort="8443"/>
                <Engine name="Catalina" defaultHost="localhost">
                  <Host name="localhost" appBase="webapps" autoDeploy="false"/>
                </Engine>
              </Service>
            </Server>
            """;

    /** Put at the end of Tomcat's. */
    private static final String OPERATORS = """
              <context-param><param-name>site</param-name><param-value>all</param-value></context-param>
              <filter>
                <filter-name>headers</filter-name>
                <filter-class>org.apache.catalina.filters.HttpHeaderSecurityFilter</filter-class>
              </filter>
              <filter-mapping><filter-name>headers</filter-name><url-pattern>/*</url-pattern></filter-mapping>
              <mime-mapping><extension>mine</extension><mime-type>application/x-mine</mime-type></mime-mapping>
              <error-page><error-code>404</error-code><location>/lost.html</location></error-page>
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>closed</web-resource-name><url-pattern>/closed/*</url-pattern>
                </web-resource-collection>
                <auth-constraint/>
              </security-constraint>
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>encrypted</web-resource-name><url-pattern>/encrypted/*</url-pattern>
                </web-resource-collection>
                <user-data-constraint><transport-guarantee>CONFIDENTIAL</transport-guarantee></user-data-constraint>
              </security-constraint>
            </web-app>
            """;

    private static final String SETTINGS_JSP = """
            <%= session.getMaxInactiveInterval() %> <%= application.getInitParameter("site") %>
            """;

    @TempDir
    static Path base;

    private static Product product;

    @BeforeAll
    static void start() throws IOException {
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.writeString(conf.resolve("server.xml"), SERVER_XML);
        String stock = Files.readString(
                Path.of(Product.war("apache-tomcat-9.0.98/conf")).resolve("web.xml"));
        Files.writeString(
                conf.resolve("web.xml"),
                stock.replace("<session-timeout>30</session-timeout>", "<session-timeout>7</session-timeout>")
                        .replaceFirst("(<param-name>listings</param-name>\\s*<param-value>)false", "$1true")
                        .replace("<welcome-file>index.htm<", "<welcome-file>start.html<")
                        .replaceFirst("</web-app>\\s*$", OPERATORS));
        Path root = Files.createDirectories(base.resolve("webapps/ROOT"));
        Files.writeString(root.resolve("start.html"), "the start page");
        Files.writeString(root.resolve("lost.html"), "the lost page");
        Files.writeString(root.resolve("a.mine"), "mine");
        Files.writeString(root.resolve("settings.jsp"), SETTINGS_JSP);
        Files.writeString(Files.createDirectories(root.resolve("closed")).resolve("a.html"), "secret");
        Files.writeString(Files.createDirectories(root.resolve("encrypted")).resolve("a.html"), "secret");
        Files.writeString(Files.createDirectories(root.resolve("list")).resolve("listed.txt"), "listed");
        Path own = Files.createDirectories(base.resolve("webapps/own/WEB-INF"));
        Files.writeString(own.resolve("web.xml"), """
                <web-app version="4.0" metadata-complete="true">
                  <context-param><param-name>site</param-name><param-value>own</param-value></context-param>
                  <session-config><session-timeout>5</session-timeout></session-config>
                  <welcome-file-list><welcome-file>own.html</welcome-file></welcome-file-list>
                  <servlet>
                    <servlet-name>default</servlet-name>
                    <init-param><param-name>listings</param-name><param-value>false</param-value></init-param>
                  </servlet>
                </web-app>
                """);
        Path files = own.resolve("..").normalize();
        Files.writeString(files.resolve("settings.jsp"), SETTINGS_JSP);
        Files.writeString(files.resolve("own.html"), "its own start page");
        Files.writeString(files.resolve("start.html"), "not this one");
        Files.createDirectories(files.resolve("list"));
        Files.writeString(Files.createDirectories(files.resolve("closed")).resolve("a.html"), "secret");
        product = Product.serving("start", "--base=" + base);
    }

    @AfterAll
    static void stop() {
        if (product != null) {
            product.close();
        }
    }

    @Test
    void givesEachApplicationWhatItsDescriptorDoesNotSay() throws Exception {
        assertEquals("420 all", Curl.run(product.url("/settings.jsp")).strip());
        assertEquals("the start page", Curl.run(product.url("/")));
        assertEquals("the lost page", Curl.run(product.url("/nowhere")));
        assertTrue(Curl.run(product.url("/list/")).contains("listed.txt"));
        String head = Curl.run("-D", "-", product.url("/a.mine"));
        assertTrue(head.contains("Content-Type: application/x-mine"), head);
        assertTrue(head.contains("X-Frame-Options: DENY"), head);
        assertFalse(product.has("WARN"), product.output());
    }

    @Test
    void letsTheApplicationsOwnWordsStand() throws Exception {
        assertEquals("300 own", Curl.run(product.url("/own/settings.jsp")).strip());
        assertEquals("its own start page", Curl.run(product.url("/own/")));
        assertEquals(404, Curl.status(product.url("/own/list/")));
    }

    @Test
    void protectsEveryApplicationAsItSays() throws Exception {
        assertEquals(403, Curl.status(product.url("/closed/a.html")));
        assertEquals(403, Curl.status(product.url("/own/closed/a.html")));
        String head = Curl.run("-D", "-", product.url("/encrypted/a.html"));
        assertTrue(head.startsWith("HTTP/1.1 302"), head);
        assertTrue(head.contains("Location: https://localhost:8443/encrypted/a.html"), head);
        assertFalse(head.contains("secret"), head);
    }

    /** What would protect every application must not be lost because of another mistake in the file. */
    @Test
    void startsNoApplicationIfItCannotBeRead(@TempDir Path broken) throws Exception {
        Path conf = Files.createDirectories(broken.resolve("conf/Catalina/localhost"));
        Files.writeString(broken.resolve("conf/server.xml"), SERVER_XML);
        Files.writeString(
                Files.createDirectories(broken.resolve("webapps/ROOT")).resolve("a.html"), "secret");
        Files.writeString(conf.resolve("web.xml.default"), "<web-app>\n<security-constraints/></web-app>");
        String line =
                "conf/Catalina/localhost/web.xml.default, line 2, column 24: <web-app> has no <security-constraints>";
        try (Product server = Product.launch("start", "--base=" + broken)) {
            String told = server.awaitLine(line);
            assertTrue(told.contains("The application at \"\" failed to start"), told);
            server.awaitLine("no web application could be started");
            assertEquals(1, server.exitStatus(), server.output());
        }
        try (Product check = Product.launch("check", "--base=" + broken)) {
            assertEquals(1, check.exitStatus(), check.output());
            check.awaitLine(line);
        }
    }
}
