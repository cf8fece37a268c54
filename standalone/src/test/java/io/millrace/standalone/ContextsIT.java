package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code millrace start} with what an operator says of applications … */
final class ContextsIT {

    private static final String SERVER_XML = """
            <Server port="-1">
              <Service name="test">
                <Connector port="0" address="127.0.0.1"/>
                <Engine name="Catalina" defaultHost="localhost" jvmRoute="node1">
                  <Realm className="org.apache.catalina.realm.MemoryRealm"/>
                  <Host name="localhost" appBase="webapps"/>
                </Engine>
              </Service>
            </Server>
            """;

    private static final String USERS = """
            <tomcat-users><user username="ada" password="lovelace" roles="counter"/></tomcat-users>
            """;

    private static final String PROTECTED = """
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>counter</web-resource-name><url-pattern>/counter</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>counter</role-name></auth-constraint>
              </security-constraint>
              <login-config><auth-method>BASIC</auth-method></login-config>
              <security-role><role-name>counter</role-name></security-role>
            </web-app>
            """;

    @TempDir
    private Path base = Path.of("");

    private String jar = "";

    @BeforeEach
    void makeBase() throws IOException {
        jar = base.resolve("cookies").toString();
        Files.createDirectories(base.resolve("conf/Catalina/localhost"));
        Files.createDirectories(base.resolve("webapps"));
        Files.writeString(base.resolve("conf/server.xml"), SERVER_XML);
        Files.writeString(base.resolve("conf/tomcat-users.xml"), USERS);
        Files.copy(Product.EXAMPLES, base.resolve("webapps/shop.war"));
    }

    private Product start() throws IOException {
        return Product.serving("start", "--base=" + base);
    }

    private Product startProcess() throws IOException {
        return Product.process().serving("start", "--base=" + base);
    }

    private String count(Product product, String application, String... options) throws Exception {
        String[] arguments = Stream.concat(
                        Stream.of(options),
                        Stream.of("-f", "-b", jar, "-c", jar, product.url("/" + application + "/counter")))
                .toArray(String[]::new);
        String page = Curl.run(arguments);
        return page.replaceFirst("(?s).*Visits\\D*(\\d+).*", "$1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "HUP"})
    void goesOnCountingAfterARestart(String signal) throws Exception {
        try (Product product = startProcess()) {
            assertEquals("1", count(product, "shop"));
            assertEquals("2", count(product, "shop"));
            Command.succeed("kill", "-" + signal, Long.toString(product.pid()));
            assertEquals(0, product.exitStatus(), product.output());
            assertTrue(product.has("Stored 1 session of application \"/shop\""), product.output());
        }
        try (Product product = start()) {
            assertEquals("3", count(product, "shop"));
        }
        assertTrue(Files.readString(Path.of(jar)).contains(".node1"), "the route is in the id");
    }

    @Test
    void findsItsSessionsAfterEachKillHoweverOftenTheyWereRead() throws Exception {
        Files.writeString(base.resolve("conf/context.xml"), """
                <Context><Manager className="org.apache.catalina.session.PersistentManager" maxIdleBackup="1">
                <Store className="org.apache.catalina.session.FileStore"/></Manager></Context>
                """);
        try (Product product = start()) {
            assertEquals("1", count(product, "shop"));
            product.terminate();
            assertEquals(0, product.exitStatus(), product.output());
        }
        for (int kill = 0; kill < 2; kill++) {
            try (Product product = startProcess()) { // whose close is a SIGKILL
                assertEquals("2", count(product, "shop"));
            }
        }
    }

    @Test
    void goesOnCountingForWhoLogsInAgain() throws Exception {
        Path application = base.resolve("webapps/private");
        unpack(Product.EXAMPLES, application);
        Path webXml = application.resolve("WEB-INF/web.xml");
        Files.writeString(webXml, Files.readString(webXml).replace("</web-app>", PROTECTED));
        for (String visits : List.of("1", "2")) {
            try (Product product = start()) {
                assertEquals(401, Curl.status("-b", jar, product.url("/private/counter")));
                assertEquals(visits, count(product, "private", "-u", "ada:lovelace"));
                product.terminate();
                assertEquals(0, product.exitStatus(), product.output());
            }
        }
    }

    @Test
    void losesOneSessionWithOneLineIfItsFileIsDamaged() throws Exception {
        try (Product product = start()) {
            count(product, "shop");
            product.terminate();
            assertEquals(0, product.exitStatus(), product.output());
        }
        try (Stream<Path> files = Files.list(base.resolve("work/localhost/shop/SESSIONS.ser"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".session")).toList()) {
                Files.writeString(file, "damaged");
            }
        }
        try (Product product = start()) {
            assertEquals("1", count(product, "shop"));
            product.awaitLine("MILLRACE4850");
            assertFalse(product.has("Exception"), product.output());
        }
    }

    @Test
    void keepsNoSessionsIfItIsTold() throws Exception {
        Files.writeString(base.resolve("conf/context.xml"), "<Context><Manager pathname=''/></Context>");
        for (int i = 0; i < 2; i++) {
            try (Product product = start()) {
                assertEquals("1", count(product, "shop"));
                product.terminate();
                assertEquals(0, product.exitStatus(), product.output());
            }
        }
    }

    @Test
    void namesTheCookieAsTheOperatorSays() throws Exception {
        Files.writeString(base.resolve("conf/Catalina/localhost/shop.xml"), """
                <Context sessionCookieName="SHOPID" sessionCookiePath="/" useHttpOnly="false" speed="high">
                  <CookieProcessor sameSiteCookies="strict"/>
                  <Furniture/>
                </Context>
                """);
        try (Product product = start()) {
            String head = Curl.run("-D", "-", "-o", "/dev/null", product.url("/shop/counter"));
            assertTrue(head.matches("(?s).*Set-Cookie: SHOPID=[\\w-]+\\.node1; Path=/; SameSite=Strict\r\n.*"), head);
            assertTrue(product.awaitLine("'speed'").contains("MILLRACE4750"), product.output());
            assertTrue(product.awaitLine("'Furniture'").contains("MILLRACE4750"), product.output());
        }
    }

    @Test
    void deploysWhatAFileInConfNames() throws Exception {
        Path elsewhere = base.resolve("elsewhere");
        unpack(Product.EXAMPLES, elsewhere);
        Files.writeString(base.resolve("conf/Catalina/localhost/a#b.xml"), "<Context docBase=\"" + elsewhere + "\"/>");
        try (Product product = start()) {
            assertEquals(200, Curl.status(product.url("/a/b/hello")));
            assertEquals(200, Curl.status(product.url("/shop/hello")));
        }
    }

    @Test
    void letsAnApplicationSeeTheOthersIfItsContextSaysSo() throws Exception {
        for (String name : List.of("portal", "closed")) {
            Path application = Files.createDirectories(base.resolve("webapps").resolve(name));
            Files.writeString(application.resolve("page.jsp"), """
                    <% ServletContext shop = application.getContext("/shop"); %>shop: <%= shop != null %>
                    <% if (shop != null) shop.getRequestDispatcher("/hello").include(request, response); %>
                    """);
        }
        Files.writeString(base.resolve("conf/Catalina/localhost/portal.xml"), "<Context crossContext=\"true\"/>");
        try (Product product = start()) {
            String page = Curl.run(product.url("/portal/page.jsp"));
            String hello = Curl.run(product.url("/shop/hello")).strip();
            assertTrue(page.contains("shop: true") && page.contains(hello), page);
            assertEquals(
                    "shop: false", Curl.run(product.url("/closed/page.jsp")).strip());
        }
    }

    @Test
    void keepsOfFilesWhatTheContextSays() throws Exception {
        Path elsewhere = Files.createDirectories(base.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("page.html"), "elsewhere");
        for (String name : List.of("plain", "told")) {
            Path application = Files.createDirectories(base.resolve("webapps").resolve(name));
            Files.createSymbolicLink(application.resolve("link"), elsewhere);
            touch(application.resolve("a.txt"), "a");
        }
        Files.writeString(
                base.resolve("conf/Catalina/localhost/told.xml"),
                "<Context><Resources cachingAllowed=\"false\" allowLinking=\"true\"/></Context>");
        try (Product product = start()) {
            for (int i = 0; i < 8; i++) {
                assertEquals("a", Curl.run(product.url("/told/a.txt")));
            }
            touch(base.resolve("webapps/told/a.txt"), "b");
            assertEquals("b", Curl.run(product.url("/told/a.txt")), "though neither size nor time has changed");
            assertEquals("elsewhere", Curl.run(product.url("/told/link/page.html")));
            assertEquals(404, Curl.status(product.url("/plain/link/page.html")));
        }
    }

    /** web.xml takes precedence over a Parameter, unless that forbids it. */
    @Test
    void keepsTheContextParametersThatForbidTheirOverriding() throws Exception {
        Path application = base.resolve("webapps/told");
        Files.createDirectories(application.resolve("WEB-INF"));
        Files.writeString(application.resolve("WEB-INF/web.xml"), """
                <web-app>
                  <context-param><param-name>open</param-name><param-value>web.xml</param-value></context-param>
                  <context-param><param-name>fixed</param-name><param-value>web.xml</param-value></context-param>
                </web-app>
                """);
        Files.writeString(
                application.resolve("page.jsp"),
                Stream.of("open", "fixed", "added")
                        .map(name -> "<%= application.getInitParameter(\"" + name + "\") %>")
                        .collect(Collectors.joining(" ")));
        Files.writeString(base.resolve("conf/Catalina/localhost/told.xml"), """
                <Context>
                  <Parameter name="open" value="Context"/>
                  <Parameter name="fixed" value="Context" override="false"/>
                  <Parameter name="added" value="Context"/>
                </Context>
                """);
        try (Product product = start()) {
            assertEquals("web.xml Context Context", Curl.run(product.url("/told/page.jsp")));
        }
    }

    private static void touch(Path file, String content) throws IOException {
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
    }

    @Test
    void asksForLoginsAsTheContextSays() throws Exception {
        Path application = base.resolve("webapps/private");
        unpack(Product.EXAMPLES, application);
        Path webXml = application.resolve("WEB-INF/web.xml");
        Files.writeString(webXml, Files.readString(webXml).replace("</web-app>", PROTECTED.replace("BASIC", "DIGEST")));
        Files.writeString(base.resolve("conf/others.xml"), USERS.replace("ada", "bob"));
        Files.writeString(base.resolve("conf/Catalina/localhost/private.xml"), """
                <Context>
                  <Realm className="org.apache.catalina.realm.MemoryRealm" pathname="conf/others.xml"/>
                  <Valve className="org.apache.catalina.authenticator.DigestAuthenticator" algorithms="MD5"/>
                </Context>
                """);
        try (Product product = start()) {
            String counter = product.url("/private/counter");
            String head = Curl.run("-i", counter);
            assertTrue(head.contains("algorithm=MD5") && !head.contains("SHA-256"), head);
            assertEquals(200, Curl.status("--digest", "-u", "bob:lovelace", counter));
            assertEquals(401, Curl.status("--digest", "-u", "ada:lovelace", counter));
        }
    }

    @Test
    void leavesAnApplicationOutWhoseContextIsNoXml() throws Exception {
        Files.copy(Product.EXAMPLES, base.resolve("webapps/other.war"));
        Files.writeString(base.resolve("conf/Catalina/localhost/other.xml"), "<Context");
        try (Product product = start()) {
            String line = product.awaitLine("MILLRACE0602");
            assertTrue(line.contains("conf/Catalina/localhost/other.xml:1"), line);
            assertEquals(200, Curl.status(product.url("/shop/hello")));
            assertEquals(503, Curl.status(product.url("/other/hello")));
        }
    }

    private static void unpack(Path war, Path to) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(war);
                Stream<Path> entries = Files.walk(zip.getPath("/"))) {
            for (Path entry : entries.toList()) {
                Path target = to.resolve(entry.toString().substring(1));
                if (Files.isDirectory(entry)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(entry, target);
                }
            }
        }
    }
}
