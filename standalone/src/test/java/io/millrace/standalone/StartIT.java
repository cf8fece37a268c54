package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Connectors;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace start} … */
final class StartIT {

    private static final String TWO_CONNECTORS =
            """
            <Server port="-1">
              <Service name="test">
                <Connector port="${no.such.port:-0}" protocol="HTTP/1.1" address="127.0.0.1"/>
                <Connector port="0" protocol="NAMED" address="127.0.0.1"/>
                <Engine name="test" defaultHost="localhost">
                  <Host name="localhost" appBase="webapps">
                    <Valve className="org.apache.catalina.valves.AccessLogValve" directory="logs" prefix="access"
                        suffix=".txt" pattern="%r %s"/>
                  </Host>
                </Engine>
              </Service>
            </Server>
            """.replace("NAMED", Connectors.contain("nio") ? "org.apache.coyote.http11.Http11NioProtocol" : "HTTP/1.1");

    @TempDir
    private Path base = Path.of("");

    @BeforeEach
    void makeBase() throws IOException {
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("webapps"));
        Files.copy(Product.EXAMPLES, base.resolve("webapps/ROOT.war"));
        Files.copy(Product.EXAMPLES, base.resolve("webapps/shop#one.war"));
    }

    @Test
    void servesTwoApplicationsOnTwoPortsAndFinishesARequestAfterSigterm() throws Exception {
        Files.writeString(base.resolve("conf/server.xml"), TWO_CONNECTORS);
        HoldingPage page = HoldingPage.in(base);
        try (Product product = start()) {
            List<Integer> ports = product.ports();
            assertEquals(2, ports.size(), product.output());
            for (int port : ports) {
                assertTrue(Curl.run("http://localhost:" + port + "/hello").contains("Hello"));
                assertTrue(
                        Curl.run("http://localhost:" + port + "/shop/one/hello").contains("Hello"));
            }
            CompletableFuture<String> running = Command.outputOf(Curl.start(product.url(HoldingPage.PATH)));
            ThreadDump.awaitFrame(product.jvm(), HoldingPage.FRAME);
            product.terminate();
            product.awaitLine("MILLRACE0003");
            page.letGo();
            assertEquals(HoldingPage.ANSWER, Deadline.await(running).strip());
            assertEquals(0, product.exitStatus(), product.output());
        }
        assertTrue(accessLog().contains("GET /shop/one/hello HTTP/1.1 200"), accessLog());
        assertEquals("rwxr-x---", permissions("logs"));
        assertEquals("rwxr-x---", permissions("work/localhost/ROOT/webapp"));
        assertEquals("rw-r-----", permissions("work/localhost/ROOT/webapp/WEB-INF/web.xml"));
    }

    @Test
    void printsAddressesThatCanBeClickedOn() throws Exception {
        Files.writeString(
                base.resolve("conf/server.xml"), TWO_CONNECTORS.replaceFirst("<Connector port=\"0\"[^>]*>", ""));
        Files.delete(base.resolve("webapps/shop#one.war"));
        Files.createDirectories(base.resolve("webapps/my 100% gr\u00fcn"));
        Files.writeString(base.resolve("webapps/my 100% gr\u00fcn/index.html"), "there");
        try (Product product = Product.serving("start", "--base", base.toString())) {
            String url = product.awaitLine("my%20100%25%20gr%C3%BCn/");
            assertEquals("there", Curl.run(url.strip()).strip());
        }
    }

    /** As Tomcat's: what the server writes is not for everybody. */
    private String permissions(String path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(base.resolve(path)));
    }

    @Test
    void stopsAtOnceAtTheSecondSignal() throws Exception {
        Files.writeString(base.resolve("conf/server.xml"), TWO_CONNECTORS);
        try (Product product = start();
                RawClient client = RawClient.connect(product.ports().get(0))) {
            client.send("GET /slow?ms=60000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
            ThreadDump.awaitFrame(product.jvm(), "SlowServlet");
            product.terminate().awaitLine("MILLRACE0003");
            product.terminate();
            assertEquals(143, product.exitStatus());
        }
    }

    @Test
    void leavesABrokenWarOutAndServesTheOthers() throws Exception {
        Files.writeString(base.resolve("conf/server.xml"), TWO_CONNECTORS);
        Files.writeString(base.resolve("webapps/broken.war"), "this is no zip file");
        try (Product product = Product.serving("start", "--base=" + base)) {
            assertTrue(product.has("broken.war is not deployed: it is not a WAR that can be read"), product.output());
            assertEquals(200, Curl.status(product.url("/hello")));
            assertEquals(503, Curl.status(product.url("/broken/")));
            assertFalse(product.has("/broken/"), product.output());
        }
    }

    @Test
    void usesABuiltInConfigurationWithoutAServerXml() throws Exception {
        try (Product product =
                Product.process().environment(Map.of("MILLRACE_HTTP_PORT", "0")).launch("start", "--base=" + base)) {
            product.awaitStart();
            assertTrue(
                    product.has(
                            "conf/server.xml does not exist: using the built-in configuration, one connector on port 0"),
                    product.output());
            assertEquals(200, Curl.status(product.url("/hello")));
        }
    }

    @Test
    void startsCleanlyAfterItWasKilled() throws Exception {
        Files.writeString(base.resolve("conf/server.xml"), TWO_CONNECTORS);
        try (Product product = start()) {
            assertEquals(200, Curl.status(product.url("/shop/one/hello")));
        }
        try (Product product = start()) {
            assertEquals(200, Curl.status(product.url("/shop/one/hello")));
        }
    }

    private Product start() throws IOException {
        return Product.process().serving("start", "--base=" + base);
    }

    private String accessLog() throws IOException {
        try (var files = Files.list(base.resolve("logs"))) {
            return Files.readString(files.findFirst().orElseThrow());
        }
    }
}
