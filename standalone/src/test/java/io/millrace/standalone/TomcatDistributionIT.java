package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tomcat 9 as it is downloaded, as a base directory: with a port of the test's, a user, and one application more, it … */
@NullUnmarked
@Tag("wars")
final class TomcatDistributionIT {

    private static final String DAV = """
            <web-app version="4.0">
              <servlet>
                <servlet-name>dav</servlet-name>
                <servlet-class>org.apache.catalina.servlets.WebdavServlet</servlet-class>
                <init-param><param-name>listings</param-name><param-value>true</param-value></init-param>
                <init-param><param-name>readonly</param-name><param-value>false</param-value></init-param>
              </servlet>
              <servlet-mapping><servlet-name>dav</servlet-name><url-pattern>/*</url-pattern></servlet-mapping>
            </web-app>
            """;

    private static final String USER =
            "<user username=\"ada\" password=\"lovelace\" roles=\"manager-gui,manager-script,manager-status,manager-jmx,admin-gui,admin-script\"/>";

    @TempDir
    private static Path work;

    private static Path base;
    private static Product product;

    @BeforeAll
    static void start() throws Exception {
        Path distribution = Path.of(Product.war("apache-tomcat-9.0.98"));
        base = work.resolve("tomcat");
        try (Stream<Path> files = Files.walk(distribution)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, base.resolve(distribution.relativize(file)));
            }
        }
        replace("conf/server.xml", "<Connector port=\"8080\"", "<Connector port=\"0\" address=\"127.0.0.1\"");
        replace("conf/tomcat-users.xml", "</tomcat-users>", USER + "</tomcat-users>");
        Path descriptor = base.resolve("webapps/files/WEB-INF/web.xml");
        Files.createDirectories(base.resolve("webapps/files/WEB-INF"));
        Files.writeString(descriptor, DAV);
        product = Product.process().serving("start", "--base=" + base);
    }

    private static void replace(String file, String old, String text) throws IOException {
        String before = Files.readString(base.resolve(file));
        assertTrue(before.contains(old), before);
        Files.writeString(base.resolve(file), before.replace(old, text));
    }

    @AfterAll
    static void stop() {
        if (product != null) {
            product.close();
        }
    }

    private static Visitor.Page visit(String path, String... options) throws Exception {
        return new Visitor(product.url(""), work.resolve("cookies")).visit(path, options);
    }

    @Test
    void isFoundWithoutErrors() throws Exception {
        try (Product check = Product.process().launch("check", "--base=" + base)) {
            assertEquals(0, check.exitStatus(), check.output());
            assertTrue(check.has("no errors"), check.output());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /                                          | successfully installed Tomcat
            /tomcat.css                                | font-family
            /docs/                                     | Apache Tomcat 9
            /docs/config/http.html                     | connectionTimeout
            /examples/                                 | Apache Tomcat Examples
            /examples/servlets/servlet/HelloWorldExample | Hello World
            /examples/jsp/jsp2/simpletag/hello.jsp     | Hello, world!
            /examples/async/async1                     | Output from async1
            """)
    void serves(String path, String text) throws Exception {
        Visitor.Page page = visit(path);
        assertEquals(200, page.status(), page.body());
        assertTrue(page.says(text), page.body());
    }

    @Test
    void servesItsWebSockets() throws Exception {
        ProductSocket socket = ProductSocket.open(product, "/examples/websocket/echoAnnotation");
        socket.send("here");
        assertEquals("text here", socket.next());
        socket.close();
        assertEquals("close 1000", socket.next());
    }

    @Test
    void servesWebdav() throws Exception {
        assertEquals(201, visit("/files/new", "-X", "MKCOL").status());
        Path note = Files.writeString(work.resolve("note.txt"), "one line");
        assertEquals(201, visit("/files/new/note.txt", "-T", note.toString()).status());
        assertEquals(
                201,
                visit("/files/new/note.txt", "-X", "MOVE", "-H", "Destination: /files/b.txt")
                        .status());
        assertEquals("one line", Files.readString(base.resolve("webapps/files/b.txt")));
        Visitor.Page found = visit("/files/", "-X", "PROPFIND", "-H", "Depth: 1");
        assertTrue(found.status() == 207 && found.says("/files/b.txt"), found.body());
    }

    @Test
    void isAdministeredByTheTextOfItsManager() throws Exception {
        Files.deleteIfExists(work.resolve("cookies"));
        assertEquals(401, visit("/manager/text/list").status());
        Visitor.Page page = visit("/manager/text/list", "-u", "ada:lovelace");
        assertEquals(200, page.status(), page.body());
        assertTrue(page.body().startsWith("OK - Listed applications for virtual host [localhost]"), page.body());
        assertTrue(page.says("\n/manager:running:"), page.body());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /manager/html            | Applications of localhost
            /manager/status          | Requests in progress
            /manager/status?XML=true | <threadInfo maxThreads="200"
            /manager/jmxproxy/?qry=java.lang:type=Memory | OK - Number of results: 1
            """)
    void isAdministeredByThePagesOfItsManager(String path, String text) throws Exception {
        Files.deleteIfExists(work.resolve("cookies"));
        assertEquals(401, visit(path).status());
        Visitor.Page page = visit(path, "-u", "ada:lovelace");
        assertEquals(200, page.status(), page.body());
        assertTrue(page.says(text), page.body());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /host-manager/html      | Hosts are elements of server.xml
            /host-manager/text/list | Hosts are elements of server.xml
            """)
    void saysWhatReplacesTheHostManager(String path, String text) throws Exception {
        Files.deleteIfExists(work.resolve("cookies"));
        assertEquals(401, visit(path).status());
        Visitor.Page page = visit(path, "-u", "ada:lovelace");
        assertEquals(501, page.status(), page.body());
        assertTrue(page.says(text), page.body());
        assertFalse(product.output().contains("\tat "), product.output());
    }
}
