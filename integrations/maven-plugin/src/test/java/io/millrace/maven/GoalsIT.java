package io.millrace.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The goals of the plugin besides {@code run}; each … */
@Tag("wars")
final class GoalsIT {

    @TempDir
    private Path directory = Path.of("");

    private MavenProject project;

    @BeforeEach
    void write() throws IOException {
        project = MavenProject.webApplication(directory);
    }

    /** What it printed, if it succeeded. */
    private String succeed(String... words) throws Exception {
        try (MavenProject.Running maven = project.maven(words)) {
            String output = maven.end();
            assertEquals(0, maven.process().exitValue(), output);
            return output;
        }
    }

    /** The sentence by which it failed; a stack trace is a failure of another kind. */
    private String refused(String... words) throws Exception {
        try (MavenProject.Running maven = project.maven(words)) {
            String output = maven.end();
            assertEquals(1, maven.process().exitValue(), output);
            assertFalse(output.contains("\tat "), output);
            return output.lines()
                    .filter(line -> line.startsWith("[ERROR] Failed to execute goal io.millrace:"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(output));
        }
    }

    @Test
    void checksPacksStartsAndStopsAWar() throws Exception {
        String output = succeed("package", "millrace:check", "millrace:package", "millrace:start", "millrace:stop");
        assertTrue(output.contains("shop-1.war is written for javax.servlet"), output);
        assertTrue(output.contains("http://localhost:"), output);
        String log = Files.readString(directory.resolve("target/millrace/server.log"));
        assertTrue(log.contains("MILLRACE0604"), log);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        try (MavenProject.Running app = project.start(List.of(
                java, "-jar", directory.resolve("target/shop-1-millrace.jar").toString(), "--port=0"))) {
            assertEquals("first", MavenProject.get(app.serving("/hello")));
        }
    }

    @Test
    void writesAHomeForTools() throws Exception {
        succeed("millrace:tomcat-home");
        assertTrue(Files.isExecutable(directory.resolve("target/millrace/home/bin/catalina.sh")));
    }

    @Test
    void refusesWhatItCannotServeInASentence() throws Exception {
        String sentence = refused("millrace:stop");
        assertTrue(sentence.contains("no server of this build is running; millrace:start"), sentence);
        sentence = refused("millrace:start");
        assertTrue(sentence.contains("shop-1.war does not exist; build it first"), sentence);
        sentence = refused("millrace:deploy", "-Dmillrace.war=" + directory.resolve("none.war"));
        assertTrue(sentence.contains("none.war does not exist; build it first"), sentence);
        sentence = refused("millrace:undeploy", "-Dmillrace.manager=http://localhost:1/manager/text");
        assertTrue(sentence.contains("nothing listens at http://localhost:1/manager/text"), sentence);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            sentence = refused("millrace:run", "-Dmillrace.port=" + taken.getLocalPort());
            assertTrue(sentence.contains("cannot listen on port " + taken.getLocalPort()), sentence);
        }
        project.file("src/main/webapp/WEB-INF/web.xml", "<web-app><servlet>");
        sentence = refused("package", "millrace:check");
        assertTrue(sentence.contains("Millrace would not start"), sentence);
        sentence = refused("millrace:run", "-Dmillrace.port=0", "-Dmillrace.jvmOptions=-Xmx1k");
        assertTrue(sentence.contains("ended with status 1 while it started"), sentence);
    }

    @Test
    void refusesAnApplicationForJakarta() throws Exception {
        project.file(
                "src/main/java/jakarta/servlet/Servlet.java", "package jakarta.servlet; public interface Servlet {}");
        project.file(
                "src/main/java/org/example/Hello.java",
                "package org.example; public class Hello implements jakarta.servlet.Servlet {}");
        String sentence = refused("millrace:run", "-Dmillrace.port=0");
        assertTrue(sentence.contains("its classes use jakarta.servlet, which Millrace does not run"), sentence);
    }

    @Test
    void refusesAProjectThatIsNoWebApplication() throws Exception {
        Path other = Files.createDirectories(directory.resolve("library"));
        project = new MavenProject(other, "jar");
        String sentence = refused("millrace:run");
        assertTrue(sentence.contains("this project has packaging \"jar\""), sentence);
    }
}
