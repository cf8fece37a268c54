package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.probe.JmxClient;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The home that tools take for Tomcat's, by the calls that they make: it … */
final class TomcatHomeIT {

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String MILLRACE =
            Path.of(System.getProperty("millrace.dist", ""), "bin", "millrace").toString();
    private static final String BOOTSTRAP = "org.apache.catalina.startup.Bootstrap";

    @TempDir
    private static Path shared = Path.of("");

    private static Path home = Path.of("");

    @TempDir
    private Path base = Path.of("");

    private final List<Product> products = new ArrayList<>();

    @BeforeAll
    static void write() throws Exception {
        home = shared.resolve("home");
        Command.succeed(MILLRACE, "tomcat-home", home.toString());
    }

    /** A base directory as IDEs make one: conf copied, other ports, an application. */
    @BeforeEach
    void copyConf() throws IOException {
        Path conf = Files.createDirectories(base.resolve("conf"));
        for (String name : List.of("web.xml", "context.xml", "tomcat-users.xml", "logging.properties")) {
            Files.copy(home.resolve("conf").resolve(name), conf.resolve(name));
        }
        String serverXml = Files.readString(home.resolve("conf/server.xml"));
        Files.writeString(
                conf.resolve("server.xml"), serverXml.replace("port=\"8080\"", "port=\"0\" address=\"127.0.0.1\""));
        Path shop = Files.createDirectories(base.resolve("webapps/shop"));
        Files.writeString(shop.resolve("page.jsp"), "<%= application.getServerInfo() %>: ${1 + 1}");
    }

    @AfterEach
    void end() {
        products.forEach(Product::close);
    }

    private Product program(Map<String, String> environment, String... words) throws IOException {
        Product product = Product.process().environment(environment).program(List.of(words));
        products.add(product);
        return product;
    }

    /** The words of an IDE that starts Java itself. */
    private String[] bootstrap(String command) {
        return new String[] {
            JAVA,
            "-classpath",
            home.resolve("bin/bootstrap.jar") + ":" + home.resolve("bin/tomcat-juli.jar"),
            "-Dcatalina.base=" + base,
            "-Dcatalina.home=" + home,
            "-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager",
            "-Djava.util.logging.config.file=" + base.resolve("conf/logging.properties"),
            BOOTSTRAP,
            command
        };
    }

    private static String page(Product product) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(product.url("/shop/page.jsp")))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    @Test
    void startsAndStopsByTheClassBootstrap() throws Exception {
        Product product = program(Map.of(), bootstrap("start")).awaitStart();
        assertTrue(page(product).endsWith(": 2"), page(product));

        Product second = program(Map.of(), bootstrap("start"));
        assertEquals(1, second.exitStatus());
        assertTrue(second.has("another server uses this base directory, process " + product.pid()), second.output());

        Command.succeed(bootstrap("stop"));
        assertEquals(0, product.exitStatus(), product::output);

        Command again = Command.run("", List.of(bootstrap("stop")));
        assertEquals(1, again.status());
        assertEquals(
                "millrace: no server uses " + base + " (is it running? another base directory?)\n", again.output());
    }

    @Test
    void showsItsApplicationsByJmxWhenTheScriptRunsIt() throws Exception {
        int port = LocalPort.free();
        Map<String, String> environment = Map.of(
                "CATALINA_BASE",
                base.toString(),
                "JAVA_OPTS",
                "-Dcom.sun.management.jmxremote.port=" + port + " -Dcom.sun.management.jmxremote.host=127.0.0.1"
                        + " -Djava.rmi.server.hostname=127.0.0.1 -Dcom.sun.management.jmxremote.ssl=false"
                        + " -Dcom.sun.management.jmxremote.authenticate=false"
                        + " -Djava.util.logging.config.file=" + base.resolve("conf/logging.properties")
                        + " -Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager");
        Product product = program(environment, home.resolve("bin/catalina.sh").toString(), "run")
                .awaitStart();
        assertTrue(page(product).endsWith(": 2"), page(product));
        String found = Command.succeed(
                JAVA,
                "-cp",
                Path.of(JmxClient.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString(),
                JmxClient.class.getName(),
                String.valueOf(port),
                "Catalina:j2eeType=WebModule,*");
        assertTrue(found.contains("name=//localhost/shop,"), found);
        Command.succeed(environment, home.resolve("bin/shutdown.sh").toString());
        assertEquals(0, product.exitStatus(), product::output);
    }

    /** The output, the process and the options are the launcher's, which bin/setenv.sh of the home may change. */
    @Test
    void startsInTheBackground() throws Exception {
        Path setenv = home.resolve("bin/setenv.sh");
        Path log = base.resolve("own.out");
        Path pid = base.resolve("own.pid");
        Files.writeString(setenv, "CATALINA_OUT=" + log + "\nCATALINA_PID=" + pid + "\nJPDA_ADDRESS=localhost:0\n");
        Map<String, String> environment = Map.of("CATALINA_BASE", base.toString());
        String script = home.resolve("bin/catalina.sh").toString();
        try {
            String started = Command.succeed(environment, script, "jpda", "start");
            assertTrue(started.contains(log.toString()), started);
            Deadline.await("the start", Product.LONGEST_START, () -> read(log).contains("is ready after"));
            assertTrue(read(log).contains("Listening for transport dt_socket at address: "), read(log));
            ProcessHandle server =
                    ProcessHandle.of(Long.parseLong(read(pid).strip())).orElseThrow();
            Command refused = Command.run("", environment, List.of(script, "start"));
            assertEquals(1, refused.status());
            assertTrue(refused.output().contains("which is running"), refused::output);
            Command.succeed(environment, script, "stop", "5", "-force");
            Deadline.await("the end", () -> !server.isAlive());
            assertFalse(Files.exists(pid));
        } finally {
            Files.delete(setenv);
            Command.run("", environment, List.of(script, "stop", "0", "-force"));
        }
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void saysItsVersionsWhereToolsLook() throws Exception {
        String versions = Command.succeed(
                JAVA, "-cp", home.resolve("lib/catalina.jar").toString(), "org.apache.catalina.util.ServerInfo");
        assertTrue(
                versions.startsWith("Server version: Apache Tomcat/9.0.")
                        && versions.contains("\nServer number:  9.0."),
                versions);
        String script = Command.succeed(home.resolve("bin/version.sh").toString());
        assertEquals(versions.lines().limit(3).toList(), script.lines().limit(3).toList());
        try (JarFile jar = new JarFile(home.resolve("lib/catalina.jar").toFile())) {
            String version = jar.getManifest().getMainAttributes().getValue("Implementation-Version");
            assertTrue(version.matches("9\\.0\\.\\d+"), version);
        }
    }

    @Test
    void checksTheConfiguration() throws Exception {
        Map<String, String> environment = Map.of("CATALINA_BASE", base.toString());
        String script = home.resolve("bin/configtest.sh").toString();
        assertTrue(Command.succeed(environment, script).contains("no errors"));
        Files.writeString(base.resolve("conf/server.xml"), "<Server><Service>");
        assertEquals(1, Command.run("", environment, List.of(script)).status());
        Command byClass = Command.run("", List.of(bootstrap("configtest")));
        assertEquals(1, byClass.status());
        assertTrue(byClass.output().contains("conf/server.xml:1: error"), byClass::output);
    }

    /** conf has users and their passwords, or will have them. */
    @Test
    void showsItsConfigurationToNobodyElse() throws Exception {
        List<String> open = new ArrayList<>();
        try (Stream<Path> files = Files.walk(home.resolve("conf"))) {
            for (Path file : files.toList()) {
                String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                if (!permissions.equals(Files.isDirectory(file) ? "rwxr-x---" : "rw-r-----")) {
                    open.add(permissions + " " + file);
                }
            }
        }
        assertEquals(List.of(), open);
    }

    @Test
    void locksANameAfterFiveWrongPasswords() throws Exception {
        Files.writeString(base.resolve("conf/tomcat-users.xml"), """
                <tomcat-users><user username="admin" password="right" roles="manager-script"/></tomcat-users>
                """);
        Path context = Files.createDirectories(base.resolve("conf/Catalina/localhost"));
        Files.writeString(
                context.resolve("manager.xml"),
                "<Context docBase=\"" + home.resolve("webapps/manager") + "\" privileged=\"true\"/>");
        Product product = program(
                        Map.of("CATALINA_BASE", base.toString()),
                        home.resolve("bin/catalina.sh").toString(),
                        "run")
                .awaitStart();
        assertEquals(200, list(product, "right"));
        for (int i = 0; i < 5; i++) {
            assertEquals(401, list(product, "wrong"));
        }
        assertEquals(401, list(product, "right"));
    }

    private static int list(Product product, String password) throws Exception {
        String credentials =
                Base64.getEncoder().encodeToString(("admin:" + password).getBytes(StandardCharsets.US_ASCII));
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(product.url("/manager/text/list")))
                                .header("Authorization", "Basic " + credentials)
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void isWrittenOverNothingOfOthers() throws Exception {
        Path other = Files.createDirectories(shared.resolve("other"));
        Files.createDirectories(other.resolve("lib"));
        Files.writeString(other.resolve("lib/catalina.jar"), "Tomcat's");
        Command refused = Command.run("", List.of(MILLRACE, "tomcat-home", other.toString()));
        assertEquals(
                "millrace: " + other + " is not empty: it has lib; give a new or empty directory\n", refused.output());
        Command forced = Command.run("", List.of(MILLRACE, "tomcat-home", "--force", other.toString()));
        assertEquals(1, forced.status());
        assertTrue(
                forced.output().contains("has files of others where those of the home would be: lib/catalina.jar"),
                forced::output);
        assertEquals("Tomcat's", Files.readString(other.resolve("lib/catalina.jar")));
        assertFalse(Files.exists(other.resolve("bin")));
    }

    @Test
    void isReplacedByALaterVersionWhereAnEarlierOneWroteIt() throws Exception {
        Path own = shared.resolve("own");
        Command.succeed(MILLRACE, "tomcat-home", own.toString());
        Files.writeString(own.resolve("conf/server.xml"), "<Server/>");
        Files.writeString(own.resolve("bin/catalina.sh"), "broken");
        Files.writeString(own.resolve("lib/driver.jar"), "the operator's");
        Path old = own.resolve("millrace/lib/millrace-old-0.0.jar");
        Files.writeString(old, "of an earlier version");
        Path list = own.resolve("millrace/home-files");
        Files.writeString(list, Files.readString(list) + "millrace/lib/millrace-old-0.0.jar\n../outside\n");
        Files.writeString(shared.resolve("outside"), "of others");
        Command refused = Command.run("", List.of(MILLRACE, "tomcat-home", own.toString()));
        assertTrue(refused.output().contains("--force replaces its files"), refused::output);
        Command.succeed(MILLRACE, "tomcat-home", "--force", own.toString());
        assertEquals("<Server/>", Files.readString(own.resolve("conf/server.xml")));
        assertEquals("the operator's", Files.readString(own.resolve("lib/driver.jar")));
        assertEquals("of others", Files.readString(shared.resolve("outside")));
        assertTrue(Files.isExecutable(own.resolve("bin/catalina.sh")));
        assertFalse(Files.exists(old));
    }
}
