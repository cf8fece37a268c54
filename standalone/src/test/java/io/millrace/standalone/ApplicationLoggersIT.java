package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What applications log by their ServletContext … */
final class ApplicationLoggersIT {

    private static final String LOGGERS = "org.apache.catalina.core.ContainerBase.[Catalina].[localhost]";

    @TempDir
    private Path base = Path.of("");

    @BeforeEach
    void makeBase() throws IOException {
        file("conf/server.xml", """
                <Server port="-1"><Service>
                  <Connector port="0" address="127.0.0.1"/>
                  <Engine name="Catalina" defaultHost="localhost"><Host name="LocalHost"/></Engine>
                </Service></Server>
                """);
        for (String application : List.of("ROOT", "quiet", "own", "own##2")) {
            file(
                    "webapps/" + application + "/log.jsp",
                    "<% application.log(\"word of " + application + "\\nsecond line\"); %>");
        }
    }

    private void file(String name, String content) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private static String handler(String name, String directory) {
        return """
                %1$s.level = FINE
                %1$s.directory = %2$s
                %1$s.prefix = %3$s
                %1$s.rotatable = false
                """.formatted(name, directory, name.substring(1, name.indexOf('.')) + ".");
    }

    private String log(String name) {
        try {
            return Files.readString(base.resolve("logs/" + name + ".log"));
        } catch (IOException e) {
            return "";
        }
    }

    private void askAll(Product product) throws Exception {
        for (String path : List.of("/log.jsp", "/quiet/log.jsp", "/own/log.jsp")) {
            assertEquals(200, Curl.status(product.url(path)), product.output());
        }
    }

    /** The first part is what Tomcat ships. */
    @Test
    void goesWhereLoggingPropertiesSendsTomcatsLoggers() throws Exception {
        String catalina = "1catalina.org.apache.juli.AsyncFileHandler";
        String localhost = "2localhost.org.apache.juli.AsyncFileHandler";
        file(
                "conf/logging.properties",
                "handlers = " + catalina + ", " + localhost + "\n.handlers = " + catalina + "\n"
                        + handler(catalina, "${catalina.base}/logs") + handler(localhost, "${catalina.base}/logs")
                        + LOGGERS + ".level = INFO\n" + LOGGERS + ".handlers = " + localhost + "\n"
                        + LOGGERS + ".[/quiet].level = SEVERE\n");
        String own = "5own.org.apache.juli.FileHandler";
        file(
                "webapps/own##2/WEB-INF/classes/logging.properties",
                "handlers = " + own + "\n" + handler(own, "${catalina.base}/logs"));
        try (Product product = Product.process().serving("start", "--base=" + base)) {
            askAll(product);
            assertEquals(0, product.terminate().exitStatus(), product.output());
            assertFalse(product.has("word of"), product.output());
        }
        assertTrue(log("localhost").contains("word of ROOT"), () -> log("localhost"));
        assertFalse(log("localhost").contains("quiet"), () -> log("localhost"));
        assertFalse(log("catalina").contains("word of"), () -> log("catalina"));
        assertFalse(log("localhost").contains("own"), () -> log("localhost"));
        assertTrue(log("own").contains("word of own##2"), () -> log("own"));
    }

    @Test
    void goesToTheServersLogWithoutThatFile() throws Exception {
        try (Product product = Product.process().serving("start", "--base=" + base)) {
            askAll(product);
            Deadline.await("the line", () -> product.has(LOGGERS + ".[/own##2]: word of own##2"));
            assertTrue(product.lines().contains("\tsecond line"), product.output());
        }
    }
}
