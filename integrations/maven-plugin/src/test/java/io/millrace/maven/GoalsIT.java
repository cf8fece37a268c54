package io.millrace.maven;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void servesThePackedWarToADebuggerAndEndsWithAKilledMaven() throws Exception {
        try (MavenProject.Running maven = project.maven("millrace:run-war", "-Dmillrace.port=0", "-Ddebug=0")) {
            assertEquals("first", MavenProject.get(maven.serving("/hello")));
            Matcher debugger =
                    Pattern.compile("transport dt_socket at address: (\\d+)").matcher(maven.output());
            assertTrue(debugger.find(), maven.output());
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(debugger.group(1)))) {
                byte[] greeting = "JDWP-Handshake".getBytes(StandardCharsets.US_ASCII);
                socket.getOutputStream().write(greeting);
                assertArrayEquals(greeting, socket.getInputStream().readNBytes(greeting.length));
            }
            List<ProcessHandle> children = maven.children();
            assertFalse(children.isEmpty());
            maven.process().destroyForcibly().waitFor();
            MavenProject.await("end of the server", () -> children.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    /** Modules of one build; the application's own page wins, and the overlay brings another and a class. */
    @ParameterizedTest(name = "after {0}")
    @ValueSource(strings = {"compile", "package"})
    void servesOverlays(String phase) throws Exception {
        project = new MavenProject(directory, "pom", "all", "<module>skin</module><module>shop</module>", "");
        MavenProject.webApplication(directory.resolve("shop"), """
                <dependency><groupId>org.example</groupId><artifactId>skin</artifactId><version>1</version><type>war</type>
                </dependency>""");
        MavenProject skin = new MavenProject(directory.resolve("skin"), "war", "skin", "", "");
        skin.file("src/main/webapp/index.html", "never seen");
        skin.file("src/main/webapp/skin.css", "of the overlay");
        skin.servlet("Skin", "/skin", "of its class");
        try (MavenProject.Running maven = project.maven(phase, "millrace:run", "-Dmillrace.port=0")) {
            assertEquals("a page", MavenProject.get(maven.serving("/")));
            assertEquals("of the overlay", MavenProject.get(maven.serving("/skin.css")));
            assertEquals("of its class", MavenProject.get(maven.serving("/skin")));
        }
    }

    @Test
    void laysOutADistributionAndDeploysOnIt() throws Exception {
        Path empty = directory.resolve("empty");
        String goal = "io.millrace:millrace-maven-plugin:" + MavenProject.VERSION + ":archive";
        try (MavenProject.Running maven = MavenProject.none(empty).maven(goal)) {
            String output = maven.end();
            assertEquals(0, maven.process().exitValue(), output);
        }
        MavenProject base = MavenProject.none(directory.resolve("base"));
        base.file("conf/server.xml", """
                <Server><Service name="Catalina"><Connector port="0" address="127.0.0.1"/>
                  <Engine name="Catalina" defaultHost="localhost">
                    <Realm className="org.apache.catalina.realm.MemoryRealm"/>
                    <Host name="localhost" autoDeploy="false"/></Engine></Service></Server>
                """);
        base.file(
                "conf/tomcat-users.xml",
                "<tomcat-users><user username='ada' password='lovelace' roles='manager-script'/></tomcat-users>");
        base.file("webapps/manager/META-INF/context.xml", "<Context privileged='true'/>");
        base.file("webapps/manager/WEB-INF/web.xml", """
                <web-app version="4.0" metadata-complete="true">
                  <servlet><servlet-name>Manager</servlet-name>
                    <servlet-class>org.apache.catalina.manager.ManagerServlet</servlet-class></servlet>
                  <servlet-mapping><servlet-name>Manager</servlet-name><url-pattern>/text/*</url-pattern></servlet-mapping>
                  <security-constraint>
                    <web-resource-collection><web-resource-name>text</web-resource-name><url-pattern>/text/*</url-pattern>
                    </web-resource-collection>
                    <auth-constraint><role-name>manager-script</role-name></auth-constraint>
                  </security-constraint>
                  <login-config><auth-method>BASIC</auth-method></login-config>
                </web-app>
                """);
        Path millrace = empty.resolve("target/millrace/dist/bin/millrace");
        try (MavenProject.Running server =
                project.start(List.of(millrace.toString(), "start", "--base=" + base.directory()))) {
            String hello = server.serving("/shop/hello");
            assertTrue(server.output().contains("class archive in use"), server.output());
            deploy(server.serving("/manager/text"), hello);
        }
    }

    private void deploy(String manager, String hello) throws Exception {
        String to = "-Dmillrace.manager=" + manager;
        String path = "-Dmillrace.contextPath=/shop";
        String sentence = refused("package", "millrace:deploy", path, to);
        assertTrue(sentence.contains("does not admit requests without a user (status 401)"), sentence);
        succeed("millrace:deploy", path, to, "-Dmillrace.user=ada", "-Dmillrace.password=lovelace");
        assertEquals("first", MavenProject.get(hello));

        // as mvn --encrypt-master-password and --encrypt-password write them
        Path settings = project.file("settings.xml", """
                <settings><servers><server><id>shop</id><username>ada</username><password>%s</password></server></servers>
                </settings>
                """.formatted(encrypted("lovelace")));
        project.servlet("second");
        succeed(
                "package",
                "millrace:deploy",
                path,
                to,
                "-s",
                settings.toString(),
                "-Dmillrace.server=shop",
                security());
        assertEquals("second", MavenProject.get(hello));
        sentence = refused("millrace:undeploy", path, to, "-s", settings.toString(), "-Dmillrace.server=other");
        assertTrue(sentence.contains("settings.xml has no server with the id other"), sentence);
        sentence = refused("millrace:undeploy", path, to.replace("/text", "/none"));
        assertTrue(sentence.contains("there is no manager at"), sentence);
        succeed("millrace:undeploy", path, to + "/", "-Dmillrace.user=ada", "-Dmillrace.password=lovelace");
        assertNotEquals("second", MavenProject.get(hello));
    }

    private String security() {
        return "-Dsettings.security=" + directory.resolve("settings-security.xml");
    }

    private String encrypted(String password) throws Exception {
        project.file(
                "settings-security.xml",
                "<settingsSecurity><master>" + printed("--encrypt-master-password", "master")
                        + "</master></settingsSecurity>");
        return printed(security(), "--encrypt-password", password);
    }

    /** The last line of what Maven printed. */
    private String printed(String... words) throws Exception {
        return succeed(words)
                .lines()
                .filter(line -> line.startsWith("{"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void worksWithMaven39() throws Exception {
        // downloads Maven, and the plugins that it prefers
        try (MavenProject.Running copy = project.online(
                MavenProject.MAVEN,
                "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:unpack",
                "-Dartifact=org.apache.maven:apache-maven:3.9.11:zip:bin",
                "-DoutputDirectory=" + directory)) {
            String output = copy.end();
            assertEquals(0, copy.process().exitValue(), output);
        }
        Path maven39 = directory.resolve("apache-maven-3.9.11/bin/mvn");
        assertTrue(maven39.toFile().setExecutable(true));
        try (MavenProject.Running maven =
                project.online(maven39.toString(), "package", "millrace:check", "millrace:start", "millrace:stop")) {
            String output = maven.end();
            assertEquals(0, maven.process().exitValue(), output);
            assertTrue(output.contains("shop-1.war is written for javax.servlet"), output);
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
        sentence = refused("millrace:undeploy", "-Dmillrace.manager=localhost:8080");
        assertTrue(sentence.contains("expected an address such as http://localhost:8080/manager/text"), sentence);
        sentence = refused("millrace:run", "-Dmillrace.port=99999");
        assertTrue(sentence.contains("99999 is no port; expected 1 to 65535"), sentence);
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
