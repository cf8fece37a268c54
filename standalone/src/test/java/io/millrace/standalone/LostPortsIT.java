package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.NeedsConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server.xml with a Connector that cannot be opened … */
final class LostPortsIT {

    @TempDir
    private Path base = Path.of("");

    @BeforeEach
    void makeBase() throws IOException {
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), """
                <Server port="8005" shutdown="SHUTDOWN">
                  <Service name="Catalina">
                    <Connector port="0" address="127.0.0.1" executor="commentedOut" tcpNoDelay="1" relaxedQueryChars="^|é"/>
                    <Connector port="18443" SSLEnabled="true">
                      <SSLHostConfig><Certificate certificateKeystoreFile="conf/missing.jks"/></SSLHostConfig>
                    </Connector>
                    <Connector protocol="AJP/1.3" port="18009"/>
                    <Engine name="Catalina" defaultHost="localhost">
                      <Realm className="org.apache.catalina.realm.NullRealm"/>
                      <Realm className="org.apache.catalina.realm.NullRealm"/>
                      <Host name="localhost" appBase="webapps"/>
                    </Engine>
                  </Service>
                </Server>
                """);
        Files.writeString(Files.createDirectories(base.resolve("webapps/ROOT")).resolve("index.html"), "served");
        Path broken = Files.createDirectories(base.resolve("webapps/broken/META-INF"));
        Files.writeString(broken.resolve("context.xml"), "<Context><Valve className='com.example.Guard'/></Context>");
    }

    @Test
    @NeedsConnector("ajp")
    void isServedOnTheOthersAsByTomcat() throws Exception {
        try (Product product = Product.serving("start", "--base=" + base)) {
            assertTrue(product.awaitLine("ERROR [main] MILLRACE0609: conf/server.xml:4: error: ")
                    .contains("missing.jks"));
            product.awaitLine("ERROR [main] MILLRACE0609: conf/server.xml:7: error: the AJP Connector has no secret");
            product.awaitLine(
                    "conf/server.xml:10: warning: Engine has 2 Realm elements, and only the last one has an effect");
            product.awaitLine("MILLRACE0602: " + base.resolve("webapps/broken"));
            assertEquals("served", Curl.run(product.url("/")));
        }
    }

    @Test
    void isNotStartedWhereTheOperatorIsStrict() throws Exception {
        try (Product product = Product.launch("start", "--strict", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            product.awaitLine("conf/server.xml has errors, and --strict was given; nothing was started");
        }
    }

    @Test
    void isAnErrorOfCheck() throws Exception {
        try (Product product = Product.launch("check", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            product.awaitLine("; this port is not opened");
            product.awaitLine("3 errors, ");
        }
    }
}
