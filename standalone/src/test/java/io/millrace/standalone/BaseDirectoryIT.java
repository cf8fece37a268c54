package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.probe.Greeting;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that an operator of Tomcat put into a base directory … */
final class BaseDirectoryIT {

    private static final String PAGE = """
            <%@ page import="io.millrace.standalone.probe.Greeting" %>
            <%= new javax.naming.InitialContext().lookup("java:comp/env/greeting") %> from <%= Greeting.loader() %>,
            shop <%= System.getProperty("shop.name") %>, setenv <%= System.getProperty("from.setenv") %>,
            temp <%= System.getProperty("java.io.tmpdir").equals(System.getProperty("catalina.base") + "/temp") %>
            <% application.log("a word of the application"); java.util.logging.Logger.getLogger("shop").fine("a fine word"); %>
            """;

    @TempDir
    private Path base = Path.of("");

    private void file(String name, String content) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    @BeforeEach
    void makeBase() throws IOException {
        file("conf/server.xml", """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE Server [
                  <!ENTITY connectors SYSTEM "connectors.xml">
                ]>
                <Server port="-1">
                  <Service name="Catalina">
                    &connectors;
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps">
                        <Context path="" docBase="ROOT">
                          <Resource name="greeting" type="java.lang.String" text="${shop.greeting}"
                              factory="io.millrace.standalone.probe.Greeting"/>
                        </Context>
                      </Host>
                    </Engine>
                  </Service>
                </Server>
                """);
        file("conf/connectors.xml", "<?xml version='1.0'?>\n<Connector port='${http.port}' address='127.0.0.1'/>\n");
        file("conf/catalina.properties", """
                common.loader="${catalina.base}/lib","${catalina.base}/lib/*.jar"
                shared.loader=
                http.port=0
                shop.name=Corner Shop
                shop.greeting=Welcome to ${shop.name}
                """);
        file("conf/logging.properties", """
                handlers = 1catalina.org.apache.juli.FileHandler
                1catalina.org.apache.juli.FileHandler.level = FINE
                1catalina.org.apache.juli.FileHandler.directory = ${catalina.base}/logs
                1catalina.org.apache.juli.FileHandler.prefix = catalina.
                1catalina.org.apache.juli.FileHandler.rotatable = false
                1catalina.org.apache.juli.FileHandler.formatter = org.apache.juli.OneLineFormatter
                shop.level = FINE
                """);
        file("bin/setenv.sh", """
                [ -n "$NOT_SET_ANYWHERE" ] || false
                CATALINA_OPTS="$CATALINA_OPTS -Dfrom.setenv=yes -Xmx200m"
                CATALINA_PID="$CATALINA_BASE/millrace.pid"
                """);
        file("webapps/ROOT/index.jsp", PAGE);
        Files.createDirectories(base.resolve("temp"));
        Files.createDirectories(base.resolve("lib"));
        String name = Greeting.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(base.resolve("lib/greeting.jar")));
                InputStream in =
                        Objects.requireNonNull(Greeting.class.getClassLoader().getResourceAsStream(name))) {
            jar.putNextEntry(new JarEntry(name));
            in.transferTo(jar);
        }
    }

    @Test
    void areUsedAsTomcatUsesThem() throws Exception {
        Path pid = base.resolve("millrace.pid");
        try (Product product = Product.process().serving("start", "--base=" + base)) {
            assertEquals(String.valueOf(product.pid()), Files.readString(pid).strip());
            String page = Curl.run(product.url("/"));
            assertTrue(page.contains("Welcome to Corner Shop from common"), page);
            assertTrue(page.contains("shop Corner Shop, setenv yes"), page);
            assertTrue(page.contains("temp true"), page);
            Deadline.await("the lines in logs", () -> log().contains("a fine word"));
            assertTrue(log().contains("a word of the application"), log());
            assertTrue(log().contains("MILLRACE0001"), log());
            assertFalse(product.has("MILLRACE0001"), product.output());
            try (Product second = Product.process().launch("start", "--base=" + base)) {
                assertEquals(1, second.exitStatus(), second.output());
                second.awaitLine("names process " + product.pid() + ", which is running");
            }
            assertEquals(0, product.terminate().exitStatus(), product.output());
        }
        assertFalse(Files.exists(pid), "CATALINA_PID is left");
    }

    private String log() {
        try {
            return Files.readString(base.resolve("logs/catalina.log"));
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void areNamedByCheck() throws Exception {
        file("conf/connectors.xml", "\n<Connector port='${http.port}' adress='127.0.0.1'/>\n");
        try (Product product = Product.process().launch("check", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            product.awaitLine("conf/connectors.xml:2: error: unknown attribute 'adress' on Connector");
            product.awaitLine("conf/catalina.properties: used: 5 system properties");
            product.awaitLine("common.loader: used: lib/, greeting.jar");
            product.awaitLine("conf/logging.properties: used");
            product.awaitLine("bin/setenv.sh: used by bin/millrace");
        }
    }
}
