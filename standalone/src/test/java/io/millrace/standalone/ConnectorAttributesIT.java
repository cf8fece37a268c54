package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.NeedsConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectorAttributesIT {

    @TempDir
    private Path base = Path.of("");

    @BeforeEach
    void makeBase() throws IOException {
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("webapps"));
        Files.copy(Product.EXAMPLES, base.resolve("webapps/ROOT.war"));
    }

    @Test
    @NeedsConnector("nio")
    void doesWhatEachConnectorSaysAndListensOnASocketFile() throws Exception {
        configure("""
                <Executor name="shared" namePrefix="shared-" maxThreads="5"/>
                <Connector port="0" address="127.0.0.1" executor="shared"/>
                <Connector port="0" address="127.0.0.1" xpoweredBy="true" allowTrace="true"/>
                <Connector unixDomainSocketPath="socket" executor="shared"/>
                """);
        try (Product product = start()) {
            String first = "http://localhost:" + product.ports().get(0) + "/hello";
            String second = "http://localhost:" + product.ports().get(1) + "/hello";
            assertTrue(!Curl.run("-i", first).contains("X-Powered-By"), "not here");
            assertTrue(Curl.run("-i", second).contains("X-Powered-By: Servlet/4.0"), "here");
            assertTrue(Curl.run("-i", "-X", "TRACE", first).startsWith("HTTP/1.1 405"), "refused");
            assertTrue(
                    Curl.run("--unix-socket", base.resolve("socket").toString(), "http://localhost/hello")
                            .contains("Hello"),
                    product.output());
            assertTrue(
                    product.has("HTTP/1.1 over nio, no TLS; 8192 connections, 5 threads of shared"), product.output());
        }
    }

    private void configure(String connectors) throws IOException {
        Files.writeString(base.resolve("conf/server.xml"), """
                <Server>
                  <Service name="s">
                    %s
                    <Engine defaultHost="localhost">
                      <Host name="localhost"/>
                    </Engine>
                  </Service>
                </Server>
                """.formatted(connectors));
    }

    private Product start() throws Exception {
        Product product = Product.launch("start", "--base=" + base);
        product.awaitStart();
        return product;
    }
}
