package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a Tomcat base directory that are not read … */
final class UnreadFilesTest {

    @TempDir
    private Path base = Path.of("");

    private void file(String name, String content) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    private List<String> told() {
        return UnreadFiles.in(base, base.resolve("home")).stream()
                .map(Problem::toString)
                .toList();
    }

    @Test
    void areNotMentionedAsTomcatShipsThem() throws IOException {
        file("conf/catalina.properties", """
                package.access=sun.,org.apache.catalina.
                common.loader="${catalina.base}/lib","${catalina.base}/lib/*.jar","${catalina.home}/lib","${catalina.home}/lib/*.jar"
                server.loader=
                shared.loader=
                tomcat.util.buf.StringCache.byte.enabled=true
                """);
        file("conf/logging.properties", """
                handlers = 1catalina.org.apache.juli.AsyncFileHandler, java.util.logging.ConsoleHandler
                .handlers = 1catalina.org.apache.juli.AsyncFileHandler, java.util.logging.ConsoleHandler
                1catalina.org.apache.juli.AsyncFileHandler.level = ALL
                java.util.logging.ConsoleHandler.level = ALL
                org.apache.catalina.core.ContainerBase.[Catalina].[localhost].level = INFO
                """);
        file("lib/catalina.jar", "");
        file("lib/tomcat-i18n-fr.jar", "");
        file("lib/ecj-4.20.jar", "");
        file("bin/setenv.sh", "");
        assertEquals(List.of(), told());
    }

    @Test
    void areNamedWithWhatAnOperatorPutIntoThem() throws IOException {
        file("conf/catalina.properties", "http.port=8080\nshared.loader=${catalina.base}/shared/*.jar\n");
        file("conf/logging.properties", "org.example.level=FINE\n");
        file("lib/h2.jar", "");
        file("bin/setenv.sh", "CATALINA_OPTS=-Xmx4g\n");
        assertEquals(
                List.of(
                        "conf/catalina.properties: warning: not read (http.port, shared.loader): set properties in JAVA_OPTS"
                                + " (-Dname=value), and put jars into lib of the server",
                        "conf/logging.properties: warning: not read (org.example.level): the log goes to stderr, and"
                                + " MILLRACE_LOG says how much",
                        "lib: warning: not read (h2.jar): put these into lib of the server, or WEB-INF/lib of the applications",
                        "bin/setenv.sh: warning: not run: set JAVA_OPTS and JAVA_HOME in the environment"),
                told());
    }

    @Test
    void areNamedWhereAPlaceholderNeedsThem() throws IOException {
        file("conf/catalina.properties", "http.port=8080\n");
        Placeholders placeholders = Placeholders.ofBase(base);
        assertEquals(
                "conf/catalina.properties has it, but is not read: say -Dhttp.port=… in JAVA_OPTS",
                placeholders.remedy("http.port"));
        assertEquals("give it a default: ${other:-…}", placeholders.remedy("other"));
    }
}
