package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.NeedsConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace check} … */
final class CheckIT {

    @Test
    void findsThreePlantedMistakesAndNamesTheirLines(@TempDir Path base) throws Exception {
        Path file = Files.createDirectories(base.resolve("conf")).resolve("server.xml");
        Files.writeString(file, """
                <Server port="-1">
                  <Service name="test">
                    <Connector port="99999"
                        maxThread="50"/>
                    <Engine name="test" defaultHost="locahost">
                      <Host name="localhost" appBase="webapps"/>
                      <Host name="shop.example" appBase="shop"/>
                    </Engine>
                  </Service>
                </Server>
                """);
        try (Product product = Product.launch("check", file.toString())) {
            assertEquals(1, product.exitStatus(), product.output());
            assertEquals("""
                    conf/server.xml:3: error: port="99999" on Connector: expected a number from 0 to 65535
                    conf/server.xml:4: warning: unknown attribute 'maxThread' on Connector; did you mean 'maxThreads'?
                    conf/server.xml:5: error: defaultHost="locahost" on Engine: there is no Host of that name; did you mean 'localhost'?
                    2 errors, 1 warning""".strip(), product.output());
        }
    }

    /** The same as it says at start-up. */
    @Test
    @NeedsConnector("ajp")
    void saysWhichTwoLinesAnAjpConnectorWithoutASecretIsMissing(@TempDir Path base) throws Exception {
        Path file = Files.createDirectories(base.resolve("conf")).resolve("server.xml");
        Files.writeString(file, """
                <Server>
                  <Service>
                    <Connector protocol="AJP/1.3" port="18009"/>
                    <Engine><Host/></Engine>
                  </Service>
                </Server>
                """);
        for (String command : List.of("check", "start")) {
            try (Product product = Product.launch(command, "--base=" + base)) {
                assertEquals(1, product.exitStatus(), product.output());
                product.awaitLine("server.xml:3: error: the AJP Connector has no secret");
                product.awaitLine("    <Connector protocol=\"AJP/1.3\" port=\"18009\" secret=\"");
                product.awaitLine("    ProxyPass \"/\" \"ajp://127.0.0.1:18009/\" secret=");
            }
        }
    }

    /** Neither opens anything: no port, no log. */
    @Test
    void refusesWhateverStartRefuses(@TempDir Path base) throws Exception {
        Path file = Files.createDirectories(base.resolve("conf")).resolve("server.xml");
        Files.writeString(base.resolve("logs"), "a file");
        Files.writeString(file.resolveSibling("tomcat-users.xml"), "<tomcat-users>");
        Files.writeString(file, """
                <Server>
                  <Service>
                    <Connector port="0" address="127.0.0.1"/>
                    <Engine>
                      <Realm className="org.apache.catalina.realm.MemoryRealm"/>
                      <Host>
                        <Valve className="org.apache.catalina.valves.AccessLogValve" pattern="%h %Y"/>
                        <Valve className="org.apache.catalina.valves.AccessLogValve" directory="more" fileDateFormat="'"/>
                      </Host>
                    </Engine>
                  </Service>
                </Server>
                """);
        for (String command : List.of("check", "start")) {
            try (Product product = Product.launch(command, "--base=" + base)) {
                assertEquals(1, product.exitStatus(), product.output());
                product.awaitLine("conf/server.xml:5: error: ");
                assertTrue(product.has("conf/tomcat-users.xml:1: not well-formed XML"), product.output());
                product.awaitLine("conf/server.xml:7: warning: The access log pattern \"%Y\" has %Y");
                assertTrue(product.has("logs: " + base.resolve("logs") + " is not a directory"), product.output());
                product.awaitLine(
                        "conf/server.xml:8: warning: this access log is not written: fileDateFormat on Valve: ");
                assertFalse(Files.exists(base.resolve("more")), "nothing is made");
            }
        }
    }

    @Test
    @NeedsConnector("apr")
    void namesTheAprThatItFound(@TempDir Path base) throws Exception {
        writeApr(base);
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(0, product.exitStatus(), product.output());
            product.awaitLine("port 18080 on all addresses: HTTP/1.1 over apr (APR 1.");
            assertFalse(product.has("WARNING: "), product.output()); // of Java's, about native access
        }
    }

    @Test
    @NeedsConnector("apr")
    void saysWhyAprCannotWork(@TempDir Path base) throws Exception {
        writeApr(base);
        Map<String, String> elsewhere = Map.of("JAVA_OPTS", "-Dmillrace.apr.library=/nowhere/libapr.so");
        try (Product product = Product.process().environment(elsewhere).launch("check", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            product.awaitLine(
                    "conf/server.xml:3: error: the transport 'apr' cannot work here: millrace.apr.library is");
        }
    }

    private static void writeApr(Path base) throws IOException {
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server>
                  <Service>
                    <Connector port="18080" protocol="org.apache.coyote.http11.Http11AprProtocol"/>
                    <Engine><Host/></Engine>
                  </Service>
                </Server>
                """);
    }

    @Test
    @NeedsConnector("nio")
    void tellsThePortsAndWhatIsDeployedWhere(@TempDir Path base) throws Exception {
        Path webapps = Files.createDirectories(base.resolve("webapps"));
        Path file = Files.createDirectories(base.resolve("conf")).resolve("server.xml");
        Files.copy(Product.EXAMPLES, webapps.resolve("shop.war"));
        Files.writeString(webapps.resolve("bad.war"), "");
        Files.writeString(file, """
                <Server>
                  <Service>
                    <Connector port="18080" maxThreads="7" connectionTimeout="1234"/>
                    <Engine>
                      <Host>
                        <Context path="/gone" docBase="gone"/>
                      </Host>
                    </Engine>
                  </Service>
                </Server>
                """);
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            assertTrue(product.has("port 18080 on all addresses: HTTP/1.1 over nio"), product.output());
            assertTrue(product.has("7 threads"), product.output());
            assertTrue(product.has("timeout 1234 ms"), product.output());
            assertTrue(product.has("host localhost: /shop/ from webapps/shop.war"), product.output());
            assertTrue(
                    product.has("  WebSocket endpoint io.millrace.examples.ChatEndpoint at /shop/chat"),
                    product.output());
            assertTrue(
                    product.has("conf/server.xml:6: error: webapps/gone: there is no such file or directory"),
                    product.output());
            assertTrue(product.has("error: webapps/bad.war: it is not a WAR that can be read"), product.output());
        }
    }

    @Test
    @Tag("wars")
    void saysWhoChoosesTheWebSocketEndpoints(@TempDir Path base) throws Exception {
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server><Service><Connector port="0"/><Engine><Host><Context path="/tomcats" docBase="%s"/></Host></Engine>\
                </Service></Server>
                """.formatted(
                        Product.war("apache-tomcat-9.0.98/webapps/examples")));
        try (Product product = Product.launch("check", "--base=" + base)) {
            product.awaitLine("  WebSocket endpoints: chosen at start by websocket.ExamplesConfig");
        }
    }

    @Test
    void saysWhatWouldKeepAnApplicationFromStarting(@TempDir Path base) throws Exception {
        Path misspelt = Files.createDirectories(base.resolve("webapps/misspelt/WEB-INF"));
        Files.writeString(misspelt.resolve("web.xml"), "<web-app>\n<security-constraints/></web-app>");
        Path filtered = Files.createDirectories(base.resolve("webapps/filtered/WEB-INF"));
        Files.writeString(filtered.resolve("web.xml"), """
                <web-app>
                  <filter><filter-name>f</filter-name><filter-class>org.apache.catalina.filters.None</filter-class></filter>
                  <filter-mapping><filter-name>f</filter-name><url-pattern>/*</url-pattern></filter-mapping>
                </web-app>
                """);
        Path typed = Files.createDirectories(base.resolve("webapps/typed/WEB-INF"));
        Files.writeString(
                typed.resolve("web.xml"),
                "<web-app>\n<session-config><session-timout>5</session-timout></session-config></web-app>");
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server><Service><Connector port="0"/><Engine><Host/></Engine></Service></Server>
                """);
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            product.awaitLine("error: webapps/typed: WEB-INF/web.xml, line 2");
            product.awaitLine("did you mean <session-timeout>?");
            product.awaitLine("error: webapps/misspelt: WEB-INF/web.xml, line 2, column 24: <web-app> has no"
                    + " <security-constraints>; did you mean <security-constraint>?");
            product.awaitLine(
                    "error: webapps/filtered: filter \"f\" is of class org.apache.catalina.filters.None, a part of");
            product.awaitLine("3 errors, no warnings");
        }
    }

    @Test
    void warnsOfDriversThatAreNotInstalled(@TempDir Path base) throws Exception {
        Files.writeString(
                Files.createDirectories(base.resolve("webapps/shop/META-INF")).resolve("context.xml"), """
                <Context>
                  <Resource name="jdbc/shop" type="javax.sql.DataSource" driverClassName="com.example.Driver" url="jdbc:x:y"/>
                  <Resource name="jdbc/known" type="javax.sql.DataSource" driverClassName="java.lang.String" url="jdbc:x:z"/>
                </Context>
                """);
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server><Service><Connector port="0"/><Engine><Host/></Engine></Service></Server>
                """);
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(0, product.exitStatus(), product.output());
            product.awaitLine(
                    "warning: webapps/shop: the driver com.example.Driver of Resource jdbc/shop is not installed");
            product.awaitLine("no errors, 1 warning");
        }
    }

    @Test
    void andStartWarnOfADirectoryThatIsMissing(@TempDir Path base) throws Exception {
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.writeString(conf.resolve("catalina.properties"), "shared.loader=${catalina.base}/sharde/*.jar\n");
        Files.writeString(base.resolve("work"), "a file");
        Files.writeString(conf.resolve("server.xml"), """
                <Server><Service><Connector port="0" address="127.0.0.1"/><Engine>
                <Host appBase="webaps"/></Engine></Service></Server>
                """);
        for (String command : List.of("check", "start")) {
            try (Product product = Product.launch(command, "--base=" + base)) {
                product.awaitLine("conf/server.xml:2: warning: appBase webaps on Host: there is no such directory");
                product.awaitLine("conf/catalina.properties: warning: shared.loader: " + base.resolve("sharde")
                        + " is ignored: there is no such file or directory");
                product.awaitLine("warning: the work directory " + base.resolve("work")
                        + " is not a directory, so temporary directories are used");
            }
        }
    }

    @Test
    void writesNoLog(@TempDir Path base) throws Exception {
        Files.createDirectories(base.resolve("webapps/shop"));
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.writeString(conf.resolve("server.xml"), """
                <Server><Service><Connector port="0"/><Engine><Host/></Engine></Service></Server>
                """);
        Files.writeString(conf.resolve("logging.properties"), """
                handlers = 1catalina.org.apache.juli.AsyncFileHandler, java.util.logging.ConsoleHandler
                1catalina.org.apache.juli.AsyncFileHandler.directory = ${catalina.base}/logs
                1catalina.org.apache.juli.AsyncFileHandler.prefix = catalina.
                """);
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(0, product.exitStatus(), product.output());
            assertTrue(product.has("host localhost: /shop/ from webapps/shop"), product.output());
            assertFalse(product.has("INFO"), product.output());
            assertFalse(Files.exists(base.resolve("logs")));
        }
    }

    @Test
    void namesTheFileOfAnApplicationThatServerXmlDoesNotName(@TempDir Path base) throws Exception {
        Path own = Files.createDirectories(base.resolve("conf/Catalina/localhost"));
        Files.writeString(own.resolve("shop.xml"), "<Context docBase=\"/nosuch/shop\"/>");
        Files.writeString(Files.createDirectories(base.resolve("webapps")).resolve("bad.war"), "");
        Files.writeString(base.resolve("conf/server.xml"), """
                <Server><Service><Connector port="0"/><Engine name="Catalina"><Host/></Engine></Service></Server>
                """);
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            assertTrue(
                    product.has("conf/Catalina/localhost/shop.xml: error: /nosuch/shop: there is no such file"),
                    product.output());
            assertTrue(product.has("webapps: error: webapps/bad.war: it is not a WAR"), product.output());
            assertTrue(product.has("2 errors, no warnings"), product.output());
        }
    }
}
